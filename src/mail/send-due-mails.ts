import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { removeInPieces } from '../platform/jobs/pieces.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import { MailRefusedError, type MailServer, openBody } from './mail-server.ts';
import {
  deleteOldMails,
  leaseDueMails,
  leaseMailsOfGroup,
  type MailRow,
  updateMailsRefused,
  updateMailsSent,
  updateMailsWiped,
  updateNextOfGroup,
} from './queries.ts';

export interface MailDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  jobs: JobMonitor;
}

/** Few at once: a mail server that sees many connections thinks of spam. What failed before takes no place of the rest. */
const AT_ONCE = { first: 4, again: 2 };
/** New mails go out without a pause for so long; then the job is done again. */
const RUN_MS = 10_000;
/** Longer than all timeouts of one mail together. */
const LEASE_MS = 10 * 60_000;
/** A worker that stops waits so long for a mail server; what is not noted by then is sent again. */
const STOP_WAIT_MS = 5_000;
/** So often at most a group goes out to one address; what comes meanwhile goes with the next. */
const GROUP_PAUSE_MS = 5 * 60_000;
/** Mails of groups that are looked at at once: some milliseconds. */
const LOOKED_AT = 1_000;
/** What its group keeps back is looked at again after so long. */
const NEXT_LOOK_MS = 60_000;
/**
 * What waits behind the first of its group goes out with it, and is made due with the mail before; else it is looked at again
 * after so long. No longer than a pause after a failure, by which a row of a clock that was ahead is recognized.
 */
const BEHIND_FIRST_MS = 30 * 60_000;
/** Notices in one mail: thirty thousand to one address are over within hours. The rest is in the next. */
const MAX_GROUP = 1_000;
/** Texts in one mail, as much as a person reads at once: one of each subject first. Of the others it has the subjects. */
const MAX_TEXTS = 50;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** A link that comes a day late is of no use any more; what a group says is, while there is a text. */
const ABANDON_AFTER_MS = 24 * 60 * 60_000;
/** As long as the longest link lives. */
const KEEP_BODY_MS = 7 * 24 * 60 * 60_000;

/**
 * Hands to the mail server what is due: mails that were not sent before, or those that failed `again`, which may hang once
 * more and are nobody else's to wait for. A mail is leased before it is sent, so two processes never send the same one;
 * one that dies between sending and noting it sends it again, under the same Message-ID. What a server does not take is
 * tried again, ever less often, for a day.
 * @returns how many were sent.
 */
export async function sendDueMails(
  deps: MailDeps,
  server: MailServer,
  line: keyof typeof AT_ONCE,
  stopped?: AbortSignal,
  stopWaitMs = STOP_WAIT_MS,
): Promise<number> {
  const endsAt = deps.clock.elapsedMs() + RUN_MS;
  for (let all = 0; ; ) {
    const { leased, sent } = await unlessStopped(sendSome(deps, server, line), stopped, stopWaitMs);
    all += sent;
    const mayBeMore = line === 'first' && leased === AT_ONCE.first && sent > 0;
    if (!mayBeMore || stopped?.aborted === true || deps.clock.elapsedMs() >= endsAt) return all;
  }
}

/** What was sent, or nothing where it takes too long after a stop. The work itself goes on. */
async function unlessStopped(work: ReturnType<typeof sendSome>, stopped: AbortSignal | undefined, waitMs: number) {
  if (stopped === undefined) return work;
  const { promise: isLate, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const onStop = () => {
    timer = setTimeout(resolve, waitMs);
  };
  if (stopped.aborted) onStop();
  else stopped.addEventListener('abort', onStop);
  try {
    return await Promise.race([work, isLate.then(() => ({ leased: 0, sent: 0 }))]);
  } finally {
    stopped.removeEventListener('abort', onStop);
    clearTimeout(timer);
  }
}

async function sendSome(deps: MailDeps, server: MailServer, line: keyof typeof AT_ONCE) {
  const now = deps.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const groupsSince = new Date(now.getTime() - GROUP_PAUSE_MS);
  const latest = new Date(now.getTime() + LONGEST_PAUSE_MS + LEASE_MS);
  const nextLook = new Date(now.getTime() + NEXT_LOOK_MS);
  const behindFirst = new Date(now.getTime() + BEHIND_FIRST_MS);
  const values = [now, lease, AT_ONCE[line], groupsSince, line === 'again', latest, LOOKED_AT, nextLook, behindFirst];
  const leased = await deps.database.query(leaseDueMails, values);
  const failures = deps.jobs.failuresOf('mails');
  const sent = await Promise.all(
    leased.map((row) =>
      sendOne(deps, server, row, lease).catch((error: unknown) => {
        // The lease runs out: it is sent again, under the same Message-ID.
        failures.failed(row.id, error, { message: 'what became of a mail could not be noted', mailId: row.id });
        return false;
      }),
    ),
  );
  return { leased: leased.length, sent: sent.filter(Boolean).length };
}

interface OpenedMail {
  row: MailRow;
  text: string;
}

async function sendOne(deps: MailDeps, server: MailServer, row: MailRow, lease: Date): Promise<boolean> {
  const { id, recipient: to, group_key: group } = row;
  const others = group === null ? [] : await deps.database.query(leaseMailsOfGroup, [to, group, id, lease, MAX_GROUP]);
  const { shown, named } = partsOf([row, ...others.sort((a, b) => (a.id < b.id ? -1 : 1))]);
  const opened: OpenedMail[] = [];
  const unreadable: { row: MailRow; error: unknown }[] = [];
  for (const each of shown) {
    try {
      opened.push({ row: each, text: textOf(deps, each) });
    } catch (error) {
      unreadable.push({ row: each, error });
    }
  }
  const isSent = await sendTogether(deps, server, opened, named);
  // One that cannot be read is no reason to keep the others back, nor to abandon them.
  for (const each of unreadable) await noteNotSent(deps, [each.row], each.error);
  if (isSent && group !== null) {
    const next = new Date(deps.clock.now().getTime() + GROUP_PAUSE_MS);
    await deps.database.query(updateNextOfGroup, [to, group, next]);
  }
  return isSent;
}

/**
 * Which notices of a group a mail has in full, and which by their subject: an attacker who causes many of one kind
 * hides no other among them.
 */
function partsOf(rows: readonly MailRow[]): { shown: MailRow[]; named: MailRow[] } {
  const subjects = new Map(rows.toReversed().map((row) => [row.subject, row.id]));
  const isFirst = ({ subject, id }: MailRow) => subjects.get(subject) === id;
  const firstOfEach = rows.filter(isFirst);
  const ordered = [...firstOfEach, ...rows.filter((row) => !isFirst(row))];
  const shown = new Set(ordered.slice(0, MAX_TEXTS));
  return { shown: rows.filter((row) => shown.has(row)), named: rows.filter((row) => !shown.has(row)) };
}

async function sendTogether(
  deps: MailDeps,
  server: MailServer,
  mails: readonly OpenedMail[],
  named: readonly MailRow[],
): Promise<boolean> {
  const [first] = mails;
  if (first === undefined) return false;
  const { id, recipient: to } = first.row;
  const rows = [...mails.map(({ row }) => row), ...named];
  try {
    await server.send({ id, to, ...inOne(first, mails, named) });
  } catch (error) {
    await noteNotSent(deps, rows, error);
    return false;
  }
  await deps.database.query(updateMailsSent, [rows.map((row) => row.id), deps.clock.now()]);
  return true;
}

/** What the server refuses for good is over for all of them; else each has the time that its own age leaves it. */
async function noteNotSent({ database, clock, logger }: MailDeps, rows: readonly MailRow[], error: unknown) {
  const now = clock.now();
  const attempts = rows[0]?.attempts ?? 1;
  const again = new Date(now.getTime() + Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS));
  const isOver = ({ created_at, group_key }: MailRow) =>
    error instanceof MailRefusedError ||
    now.getTime() - created_at.getTime() > (group_key === null ? ABANDON_AFTER_MS : KEEP_BODY_MS);
  const over = rows.filter(isOver).map(({ id }) => id);
  const reason = reasonOf(error);
  await database.query(updateMailsRefused, [rows.map(({ id }) => id), again, reason, over, now]);
  logger.warn(
    { mailId: rows[0]?.id, mails: rows.length, attempts, reason, abandoned: over.length },
    'a mail was not sent',
  );
}

/** @throws MailRefusedError where it was removed. */
function textOf({ secrets }: MailDeps, { id, body_sealed: sealed }: MailRow): string {
  if (sealed === null) throw new MailRefusedError('its text was removed');
  return openBody(secrets, id, sealed).text;
}

/** Several as one: each under its own heading, the first one's in the subject. */
function inOne(
  first: OpenedMail,
  mails: readonly OpenedMail[],
  named: readonly MailRow[],
): { subject: string; text: string } {
  if (mails.length + named.length === 1) return { subject: first.row.subject, text: first.text };
  const texts = mails.map((mail) => `${mail.row.subject}\n\n${mail.text}`);
  if (named.length > 0)
    texts.push(`Too many for one mail came meanwhile. Of these it has the subjects:\n\n${countsOf(named)}`);
  const others = mails.length + named.length - 1;
  return { subject: `${first.row.subject}, and ${others} more`, text: texts.join('\n\n----------\n\n') };
}

/** `949 × Your limits were changed`, a line for each subject. */
function countsOf(rows: readonly MailRow[]): string {
  const counts = new Map<string, number>();
  for (const { subject } of rows) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  return [...counts].map(([subject, count]) => `${count} × ${subject}`).join('\n');
}

/** The code alone where the server answered: its own words may repeat the address or the text. */
function reasonOf(error: unknown): string {
  const {
    code,
    responseCode,
    message = 'unknown',
  } = error as { code?: string; responseCode?: number; message?: string };
  const words = message.slice(0, MAX_REASON_LENGTH);
  if (responseCode === undefined && code !== undefined && OF_THIS_SIDE.has(code)) return `${code}: ${words}`;
  const named = [code, responseCode].filter((part) => part !== undefined).join(' ');
  return named === '' ? words : named;
}

const MAX_REASON_LENGTH = 100;
/** What the system says of the connection, before the server said anything. */
const OF_THIS_SIDE: ReadonlySet<string> = new Set(['ESOCKET', 'EDNS', 'ECONNECTION']);

/** Removes the texts of old mails, with the links in them. @returns how many. */
export async function wipeOldMails({ database, clock }: Pick<MailDeps, 'database' | 'clock'>): Promise<number> {
  return (await database.query(updateMailsWiped, [new Date(clock.now().getTime() - KEEP_BODY_MS)])).length;
}

/** Removes mails from before a moment that were sent or abandoned, and whose texts are gone. @returns how many. */
export function forgetMails({ database }: Pick<MailDeps, 'database'>, before: Date): Promise<number> {
  const first = firstIdOf(before);
  return removeInPieces(async (atMost) => {
    const [deleted] = await database.query(deleteOldMails, [first, atMost]);
    return deleted?.gone ?? 0;
  });
}
