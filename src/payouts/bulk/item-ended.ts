import { type Write, write } from '../../platform/db/statement.ts';
import type { PayoutRecord } from '../queries.ts';
import { updateBatchesPayoutsEnded } from './queries.ts';

const COUNTED = {
  SUCCESS: { succeeded: 1, failed: 0, reversed: 0 },
  FAILED: { succeeded: 0, failed: 1, reversed: 0 },
  // Only what succeeded is reversed.
  REVERSED: { succeeded: -1, failed: 0, reversed: 1 },
} as const;

/**
 * Counts a payout that ended in its batch, for the movement that ends it; undefined for a payout of no batch. The
 * movement that ends the last one also makes the batch due, so that a worker's next look concludes it.
 */
export function itemEndedWrite(payout: PayoutRecord, to: keyof typeof COUNTED): Write | undefined {
  const { merchant_id, mode, batch_id } = payout;
  if (batch_id === null) return undefined;
  const { succeeded, failed, reversed } = COUNTED[to];
  return write(updateBatchesPayoutsEnded, { merchant_id, mode, id: batch_id, succeeded, failed, reversed });
}
