import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Secrets } from '../platform/secrets.ts';
import { openBody } from './mail-body.ts';
import { MailRefusedError, type MailServer } from './mail-server.ts';
import { claimDueMails, type MailRow, updateMailRefused, updateMailSent, updateMailsWiped } from './queries.ts';

export interface MailDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
}

/** Few at once: a mail server that sees many connections thinks of spam. */
const AT_ONCE = 4;
/** Longer than all timeouts of one mail together. */
const LEASE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** A link that comes a day late is of no use any more. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;
/** As long as the longest link lives. */
const KEEP_BODY_MS = 7 * 24 * 60 * 60_000;

/**
 * Hands to the mail server what is due. A mail is claimed before it is sent, so two processes never send the same one;
 * one that dies between sending and noting it sends it again, under the same Message-ID. What a server does not take is
 * tried again, ever less often, for a day.
 * @returns how many were sent.
 */
export async function sendDueMails(deps: MailDeps, server: MailServer): Promise<number> {
  const now = deps.clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const claimed = await deps.database.query(claimDueMails, [now, lease, AT_ONCE]);
  const sent = await Promise.all(claimed.map((row) => sendOne(deps, server, row)));
  return sent.filter(Boolean).length;
}

async function sendOne(deps: MailDeps, server: MailServer, row: MailRow): Promise<boolean> {
  const { database, secrets, clock, logger } = deps;
  try {
    if (row.body_sealed === null) throw new MailRefusedError('its text was removed');
    const { text } = openBody(secrets, row.id, row.body_sealed);
    await server.send({ id: row.id, to: row.recipient, subject: row.subject, text });
  } catch (error) {
    const now = clock.now();
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (row.tries - 1), LONGEST_PAUSE_MS);
    const isOver = error instanceof MailRefusedError || now.getTime() - row.created_at.getTime() > GIVE_UP_AFTER_MS;
    const again = new Date(now.getTime() + pause);
    await database.query(updateMailRefused, [row.id, again, reasonOf(error), isOver ? now : null]);
    logger.warn({ mailId: row.id, tries: row.tries, reason: reasonOf(error), givenUp: isOver }, 'a mail was not sent');
    return false;
  }
  await database.query(updateMailSent, [row.id, clock.now()]);
  return true;
}

/** The code alone: a server's own words may repeat the address or the text. */
function reasonOf(error: unknown): string {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string };
  const named = [code, responseCode].filter((part) => part !== undefined).join(' ');
  return named === '' ? (message ?? 'unknown').slice(0, 100) : named;
}

/** Removes the texts of old mails, with the links in them. @returns how many. */
export async function wipeOldMails({ database, clock }: Pick<MailDeps, 'database' | 'clock'>): Promise<number> {
  return (await database.query(updateMailsWiped, [new Date(clock.now().getTime() - KEEP_BODY_MS)])).length;
}
