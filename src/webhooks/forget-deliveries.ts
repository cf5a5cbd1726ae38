import type { Database } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/ids.ts';
import { removeInPieces } from '../platform/jobs/pieces.ts';
import { deleteOldDeliveries } from './delivery-queries.ts';

/**
 * Removes deliveries of events from before a moment that have ended, with every call of theirs. One that is still tried, or was
 * asked for again, stays while there is an address. @returns how many are gone.
 */
export function forgetDeliveries({ database }: { database: Database }, before: Date): Promise<number> {
  const first = firstIdOf(before);
  return removeInPieces(async (atMost) => {
    const [deleted] = await database.query(deleteOldDeliveries, [first, atMost]);
    return deleted?.gone ?? 0;
  });
}
