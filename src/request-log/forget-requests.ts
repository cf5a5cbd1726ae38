import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/ids.ts';
import { DEFAULT_KEEP_DAYS, KEEPS_BODIES, MAX_KEEP_DAYS } from './body-settings.ts';
import { deleteOldCounts } from './count-queries.ts';
import { deleteOldBodies, deleteOldGaps, deleteOldRequests } from './queries.ts';
import { slotOf } from './rates.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A mistake is looked for within days. */
const KEEP_MS = 7 * DAY_MS;

/** @returns how many requests are forgotten. */
export async function forgetRequests({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = new Date(clock.now().getTime() - KEEP_MS);
  const first = firstIdOf(before);
  const [[requests]] = await Promise.all([
    database.query(deleteOldRequests, [first]),
    database.query(deleteOldGaps, [first]),
    database.query(deleteOldCounts, [slotOf(before, 60), new Date(clock.now().getTime() - DAY_MS)]),
  ]);
  return requests?.gone ?? 0;
}

/** Bodies of one statement, and statements of one run: a few hundred milliseconds. What is left, the next run takes. */
const PIECE = 1_000;
const MAX_PIECES = 50;

/** Removes bodies that had the days of their merchant's setting, and those of whoever keeps none any more. @returns how many. */
export async function forgetBodies({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const now = clock.now().getTime();
  const firstIds = Array.from({ length: MAX_KEEP_DAYS + 1 }, (_, days) => firstIdOf(new Date(now - days * DAY_MS)));
  const daysIn = (mode: keyof typeof KEEPS_BODIES) => (KEEPS_BODIES[mode] ? DEFAULT_KEEP_DAYS : 0);
  const values = [`{${firstIds.join()}}`, PIECE, daysIn('SANDBOX'), daysIn('LIVE')];
  let gone = 0;
  for (let piece = 0; piece < MAX_PIECES; piece += 1) {
    const [deleted] = await database.query(deleteOldBodies, values);
    gone += deleted?.gone ?? 0;
    if ((deleted?.gone ?? 0) < PIECE) break;
  }
  return gone;
}
