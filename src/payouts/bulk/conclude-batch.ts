import { LRUCache } from 'lru-cache';
import { success } from '../../platform/answer.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { changeBatch } from './batch-change.ts';
import { type BatchRecord, findBatch } from './queries.ts';

/** Between two looks at one batch: a thousand of its payouts may end in a second. */
const LOOK_EVERY_MS = 250;
/** Batches under way in one process whose last look is remembered. */
const MAX_LOOKS = 10_000;

/** When a batch was last looked at, by the database that it is in. */
const looks = new WeakMap<Database, LRUCache<string, number>>();

/**
 * Ends a dispatched batch soon after its last payout has ended; cheap enough to be called after each. It may pass over
 * the last one: the movement that ended that made the batch due, so a worker's next look concludes it.
 */
export async function concludeBatch(deps: PayoutDeps, tenant: Tenant, batchId: string): Promise<void> {
  const looked = looks.get(deps.database) ?? new LRUCache<string, number>({ max: MAX_LOOKS });
  looks.set(deps.database, looked);
  const now = deps.clock.now().getTime();
  if (Math.abs(now - (looked.get(batchId) ?? 0)) < LOOK_EVERY_MS) return;
  looked.set(batchId, now);
  const [batch] = await deps.database.query(findBatch, [tenant.merchantId, tenant.mode, batchId]);
  if (batch !== undefined) await concludeIfEnded(deps, batch);
}

/** Does nothing before the last payout of the batch has ended, and nothing the second time. */
export async function concludeIfEnded(deps: PayoutDeps, batch: BatchRecord): Promise<void> {
  if (batch.status !== 'DISPATCHING' || batch.open_items > 0) return;
  const whole = batch.failed_items === 0;
  const { movement } = changeBatch(batch, {
    at: deps.clock.now(),
    to: whole ? 'COMPLETED' : 'PARTIALLY_COMPLETED',
    reason: whole ? null : 'PAYOUTS_FAILED',
    fields: { due_at: null },
    event: whole ? 'batch.completed' : 'batch.partially_completed',
  });
  try {
    await deps.ledger.commit({ ...movement, answer: success('Success') });
  } catch (error) {
    // Somebody else concluded it at the same moment.
    if (!(error instanceof AppError && error.code === 'BATCH_CHANGED')) throw error;
  }
}
