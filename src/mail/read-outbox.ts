import type { Queries } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { openBody } from './mail-body.ts';
import { findMail, listMails, type MailRow } from './queries.ts';

/** A page of the outbox is for somebody who waits for a mail, so the newest are enough. */
const NEWEST = 100;

export interface StoredMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  link: string | null;
  at: Date;
  sentAt: Date | null;
}

export interface OutboxDeps {
  queries: Queries;
  secrets: Secrets;
  /**
   * Whether texts are shown. Where a mail server delivers them they are not: a link in one would let a colleague in as
   * somebody else.
   */
  showsTexts: boolean;
}

/** The newest mails first. */
export async function readOutbox(deps: OutboxDeps): Promise<StoredMail[]> {
  const rows = await deps.queries.query(listMails, [NEWEST]);
  return rows.map((row) => storedMail(deps, row));
}

export async function readMail(deps: OutboxDeps, mailId: string): Promise<StoredMail | undefined> {
  const [row] = await deps.queries.query(findMail, [mailId]);
  return row === undefined ? undefined : storedMail(deps, row);
}

function storedMail({ secrets, showsTexts }: OutboxDeps, row: MailRow): StoredMail {
  const { id, recipient: to, subject, created_at: at, sent_at: sentAt } = row;
  return { id, to, subject, at, sentAt, ...bodyOf(secrets, row, showsTexts) };
}

function bodyOf(secrets: Secrets, { id, body_sealed: sealed }: MailRow, shown: boolean) {
  if (!shown) return { text: 'The text goes to the mail server and to nobody else.', link: null };
  if (sealed === null) return { text: 'The text was removed a week after the mail was written.', link: null };
  return openBody(secrets, id, sealed);
}
