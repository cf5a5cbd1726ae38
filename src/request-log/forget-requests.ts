import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { deleteOldGaps, deleteOldRequests } from './queries.ts';

/** A mistake is looked for within days. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/** @returns how many requests are forgotten. */
export async function forgetRequests({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const first = firstIdOf(new Date(clock.now().getTime() - KEEP_MS));
  const [requests] = await Promise.all([
    database.query(deleteOldRequests, [first]),
    database.query(deleteOldGaps, [first]),
  ]);
  return requests.length;
}

/** No id made from this moment on is smaller: a UUIDv7 begins with its milliseconds. */
function firstIdOf(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
