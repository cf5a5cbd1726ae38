import type { PayoutDeps } from '../deps.ts';
import { type BatchRecord, updateBatchDue } from './queries.ts';

/**
 * How long a worker has a batch before another may take it over. It renews it as it goes, so that only a dead worker's
 * lease runs out.
 */
export const BATCH_LEASE_MS = 120_000;

/** A batch in a worker's hands, as that worker wrote it last: its `due_at` is the lease. */
export interface BatchLease {
  batch: BatchRecord;
}

/** Undefined when another worker has taken the batch over, or it has changed. */
export async function moveDue(deps: PayoutDeps, batch: BatchRecord, to: Date): Promise<BatchRecord | undefined> {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const moved = await deps.database.query(updateBatchDue, [...key, batch.due_at, to]);
  return moved.length === 1 ? { ...batch, due_at: to } : undefined;
}
