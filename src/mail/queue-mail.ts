import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { openBody, sealBody } from './mail-server.ts';
import { countWaitingMails, findMail, insertMails, listMails, type MailRow } from './queries.ts';

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

/** Many at once, in the caller's transaction. */
export async function queueMails(
  { queries, ...deps }: MailSealer & { queries: Queries },
  mails: readonly NewMail[],
): Promise<void> {
  await queries.run(
    insertMails,
    mails.map((mail) => mailRow(deps, mail)),
  );
}

/** Mails in the outbox that wait for the mail server, to any address: not sent before, and not accepted by it. */
interface Waiting {
  first: number;
  again: number;
}

/** How many more the outbox takes before so many wait in it: at least 0. */
export async function countFreeInOutbox(queries: Queries, most: Waiting): Promise<number> {
  const [counted = { first: 0, again: 0 }] = await queries.query(countWaitingMails, [most.first, most.again]);
  return Math.min(most.first - counted.first, most.again - counted.again);
}

/** A mail that a movement of the books puts into the outbox. */
export function mailWrite(deps: MailSealer, mail: NewMail): Write {
  return write(insertMails, mailRow(deps, mail));
}

function mailRow({ secrets, clock }: MailSealer, { to, subject, text, link, group }: NewMail) {
  const id = newId();
  const at = clock.now().toISOString();
  const body_sealed = sealBody(secrets, id, { text, link });
  return { id, recipient: to, subject, body_sealed, created_at: at, due_at: at, group_key: group ?? null };
}

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

interface OutboxDeps {
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
