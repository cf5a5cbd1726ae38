import { success } from '../../platform/answer.ts';
import { AppError } from '../../platform/errors.ts';
import type { PayoutDeps } from '../deps.ts';
import { LEASE_MS } from '../pipeline/claim-payouts.ts';
import { changeBatch, tenantOfBatch } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import { concludeBatch } from './conclude-batch.ts';
import { type BatchRow, listDueBatches } from './queries.ts';
import { moveDue, validateBatch } from './validate-batch.ts';

/**
 * Takes up to `limit` batches that are due and begins what is due of them; whoever calls waits for that or does not. A
 * batch that another worker has is passed over.
 */
export async function beginDueBatches(
  deps: PayoutDeps,
  limit: number,
  keepGoing: () => boolean,
): Promise<Promise<void>[]> {
  if (limit < 1) return [];
  const due = await deps.database.query(listDueBatches, [deps.clock.now(), limit]);
  const leaseEndsAt = new Date(deps.clock.now().getTime() + LEASE_MS);
  const leased = await Promise.all(due.map((batch) => moveDue(deps, batch, leaseEndsAt)));
  return leased
    .filter((batch) => batch !== undefined)
    .map(async (batch) => {
      try {
        await handle(deps, batch, keepGoing);
      } catch (error) {
        // The lease runs out and the batch is taken up again.
        deps.logger.error({ err: error, batchId: batch.id }, 'a batch step failed');
      }
    });
}

async function handle(deps: PayoutDeps, batch: BatchRow, keepGoing: () => boolean): Promise<void> {
  const expired = new Date(batch.expires_at) <= deps.clock.now();
  if (isOpen(batch.status) && expired) await expire(deps, batch);
  else if (batch.status === 'VALIDATING') await validateBatch(deps, batch, keepGoing);
  else if (batch.status === 'DISPATCHING') await concludeBatch(deps, tenantOfBatch(batch), batch.id);
}

async function expire(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  const change = changeBatch(batch, {
    at: deps.clock.now(),
    to: 'EXPIRED',
    fields: { due_at: null },
    event: 'batch.expired',
  });
  try {
    await deps.ledger.commit({ ...change.movement, answer: success('Success') });
  } catch (error) {
    // Touched at the last moment: it lives on.
    if (!(error instanceof AppError && error.code === 'BATCH_CHANGED')) throw error;
  }
}
