import type { PayoutRecord } from '../payouts/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Database } from '../platform/db/database.ts';
import { findUncertainOrigins } from './copy-queries.ts';
import { findBatch } from './queries.ts';

/** Batches of which it is remembered whether they pay again what another did not: that never changes. */
const MAX_REMEMBERED = 1_000;

/**
 * Of a payout that is about to leave: whether it pays again one of which a rail has said since that it paid, in the line of
 * lists that it comes from. A dispatched list may wait for hours, where a rail is down, its merchant suspended or its payee looked into.
 */
export function createIsPaidBefore({ database }: { database: Database }) {
  const areRetries = createLruMap<boolean>(MAX_REMEMBERED);
  return async ({ merchant_id, mode, id, batch_id }: PayoutRecord): Promise<boolean> => {
    if (batch_id === null) return false;
    let isRetry = areRetries.get(batch_id);
    if (isRetry === undefined) {
      const [batch] = await database.query(findBatch, [merchant_id, mode, batch_id]);
      isRetry = batch?.origin_batch_id != null;
      areRetries.set(batch_id, isRetry);
    }
    return isRetry && (await database.query(findUncertainOrigins, [merchant_id, mode, [id]])).length > 0;
  };
}
