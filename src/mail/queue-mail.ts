import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { sealBody } from './mail-body.ts';
import { insertMails } from './queries.ts';

/** A mail in plain text. */
export interface NewMail {
  to: string;
  subject: string;
  text: string;
  /** The link that the text is about, so that the local outbox can show it as one. */
  link: string | null;
  /** With one, it goes out together with others of the same group to the same address, at most every few minutes. */
  group?: string;
}

export interface MailSealer {
  secrets: Secrets;
  clock: Clock;
}

/** Puts a mail into the outbox, in the caller's transaction: it is sent if and only if that commits. */
export async function queueMail({ queries, ...deps }: MailSealer & { queries: Queries }, mail: NewMail): Promise<void> {
  await queries.run(insertMails, [mailRow(deps, mail)]);
}

/** The same for a movement of the books. */
export function mailWrite(deps: MailSealer, mail: NewMail): Write {
  return write(insertMails, mailRow(deps, mail));
}

function mailRow({ secrets, clock }: MailSealer, { to, subject, text, link, group }: NewMail) {
  const id = newId();
  const at = clock.now().toISOString();
  const body_sealed = sealBody(secrets, id, { text, link });
  return { id, recipient: to, subject, body_sealed, created_at: at, due_at: at, group_key: group ?? null };
}
