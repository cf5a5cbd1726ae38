import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { sealBody } from './mail-body.ts';
import { insertMail } from './queries.ts';

/** A mail in plain text. */
export interface NewMail {
  to: string;
  subject: string;
  text: string;
  /** The link that the text is about, so that the local outbox can show it as one. */
  link: string | null;
}

/** Puts a mail into the outbox, in the caller's transaction: it is sent if and only if that commits. */
export async function queueMail(
  { queries, secrets, clock }: { queries: Queries; secrets: Secrets; clock: Clock },
  mail: NewMail,
): Promise<void> {
  const id = newId();
  const body = sealBody(secrets, id, { text: mail.text, link: mail.link });
  await queries.query(insertMail, [id, mail.to, mail.subject, body, clock.now()]);
}
