import { success } from '../../platform/answer.ts';
import { AppError } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { changeBatch } from './batch-change.ts';
import { findBatch, sumBatchPayouts } from './queries.ts';

/** Ends a dispatched batch once the last of its payouts has ended. Does nothing before, and nothing the second time. */
export async function concludeBatch(deps: PayoutDeps, tenant: Tenant, batchId: string): Promise<void> {
  const key = [tenant.merchantId, tenant.mode, batchId];
  const [batch] = await deps.database.query(findBatch, key);
  if (batch === undefined || batch.status !== 'DISPATCHING' || batch.open_items > 0) return;
  const payouts = await deps.database.query(sumBatchPayouts, key);
  const whole = payouts.every(({ status }) => status === 'SUCCESS' || status === 'REVERSED');
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
