import { success } from '../../platform/answer.ts';
import { AppError } from '../../platform/errors.ts';
import type { PayoutDeps } from '../deps.ts';
import { changeBatch } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import { concludeIfEnded } from './conclude-batch.ts';
import { BATCH_LEASE_MS, type BatchLease, moveDue } from './lease.ts';
import { type BatchRecord, findBatch, listDueBatches } from './queries.ts';
import { validateBatch } from './validation/validate-batch.ts';

/** After a database error the next attempt need not wait for the lease. */
const AFTER_ERROR_MS = 2_000;

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
  const leaseEndsAt = new Date(deps.clock.now().getTime() + BATCH_LEASE_MS);
  const leased = await Promise.all(due.map((batch) => moveDue(deps, batch, leaseEndsAt)));
  return leased.filter((batch) => batch !== undefined).map((batch) => handleLeased(deps, { batch }, keepGoing));
}

async function handleLeased(deps: PayoutDeps, lease: BatchLease, keepGoing: () => boolean): Promise<void> {
  try {
    await handle(deps, lease, keepGoing);
  } catch (error) {
    deps.logger.error({ err: error, batchId: lease.batch.id }, 'a batch step failed');
    // Without a database this fails too: then the lease runs out, and the batch is taken up again.
    await moveDue(deps, lease.batch, new Date(deps.clock.now().getTime() + AFTER_ERROR_MS)).catch(() => undefined);
  }
}

async function handle(deps: PayoutDeps, lease: BatchLease, keepGoing: () => boolean): Promise<void> {
  const { batch } = lease;
  const expired = new Date(batch.expires_at) <= deps.clock.now();
  // What waits for approval runs out with its approval.
  if (isOpen(batch.status) && batch.status !== 'PENDING_APPROVAL' && expired) await expire(deps, batch);
  else if (batch.status === 'VALIDATING') await validateBatch(deps, lease, keepGoing);
  else if (batch.status === 'DISPATCHING') await conclude(deps, batch);
}

/** As it is under the lease: what ended between the look and the lease is counted too. */
async function conclude(deps: PayoutDeps, { merchant_id, mode, id }: BatchRecord): Promise<void> {
  const [batch] = await deps.database.query(findBatch, [merchant_id, mode, id]);
  if (batch !== undefined) await concludeIfEnded(deps, batch);
}

async function expire(deps: PayoutDeps, batch: BatchRecord): Promise<void> {
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
