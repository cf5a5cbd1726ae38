import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/ids.ts';
import { deleteOldGaps, deleteOldRequests } from './queries.ts';

/** A mistake is looked for within days. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/** @returns how many requests are forgotten. */
export async function forgetRequests({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const first = firstIdOf(new Date(clock.now().getTime() - KEEP_MS));
  const [[requests]] = await Promise.all([
    database.query(deleteOldRequests, [first]),
    database.query(deleteOldGaps, [first]),
  ]);
  return requests?.gone ?? 0;
}
