import type { PayoutDeps } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { createTenantTurns } from '../platform/jobs/take-turns.ts';
import type { WorkSource } from '../platform/jobs/worker.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { BATCH_LEASE_MS, type BatchLease, changeBatch, moveDue } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import { concludeIfEnded } from './end-batch.ts';
import { type BatchRecord, DUE_BATCHES, findBatch, listDueBatches, updateBatchesAdvanced } from './queries.ts';
import { validateBatch } from './validate-batch.ts';

/** Batches that this worker has in hand, of different merchants. */
const AT_ONCE = { LIVE: 4, SANDBOX: 4 };
/** Batches of one tenant that are begun between two looks; and of all tenants. */
const OF_A_TENANT = 4;
const OF_ALL = 1_000;
const DELAYS = { firstMs: 2_000, maxMs: 5 * 60_000 };

/**
 * The source of due batches: takes the next step of each, merchants by turns. A batch that another worker has is
 * skipped.
 */
export function dueBatches(deps: PayoutDeps): WorkSource {
  let taken = 0;
  let stopping = false;

  async function take(lease: BatchLease): Promise<void> {
    const leased = await moveDue(deps, lease.batch, new Date(deps.clock.now().getTime() + BATCH_LEASE_MS));
    if (leased === undefined) return;
    taken += 1;
    lease.batch = leased;
    await handle(deps, lease, () => !stopping);
  }

  const turns = createTenantTurns<BatchLease>({
    failures: deps.jobs.failuresOf('batches', DELAYS),
    slots: AT_ONCE,
    tenantOf: ({ batch }) => tenantOf(batch),
    keyOf: ({ batch }) => batch.id,
    take,
    aboutOf: ({ batch }) => ({
      message: 'a batch step failed',
      ...tenantOf(batch),
      batchId: batch.id,
    }),
    // Without a database this fails too: then the lease runs out, and the batch is leased again.
    putOff: ({ batch }, delayMs) => moveDue(deps, batch, new Date(deps.clock.now().getTime() + delayMs)),
  });
  return {
    name: 'batches',
    queues: [DUE_BATCHES],
    async look() {
      const due = await deps.database.query(listDueBatches, [deps.clock.now(), OF_A_TENANT, OF_ALL]);
      turns.offer(due.map((batch) => ({ batch })));
    },
    taken: () => taken,
    settle: turns.settle,
    close() {
      stopping = true;
      turns.close();
    },
  };
}

async function handle(deps: PayoutDeps, lease: BatchLease, keepGoing: () => boolean): Promise<void> {
  const { batch } = lease;
  const expired = batch.expires_at <= deps.clock.now();
  // A batch that waits for approval expires with its approval.
  if (isOpen(batch.status) && batch.status !== 'PENDING_APPROVAL' && expired) await expire(deps, batch);
  else if (batch.status === 'VALIDATING') await validateBatch(deps, lease, keepGoing);
  else if (batch.status === 'DISPATCHING') await conclude(deps, batch);
}

/** The batch as it is under the lease, which includes payouts that ended before it. */
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
    // Somebody touched the batch at the last moment: it does not expire.
    if (!(error instanceof AppError && error.code === 'BATCH_CHANGED')) throw error;
  }
}

/** Writes that make expiries of a sandbox due so much earlier. */
export function batchAdvanceWrites(tenant: Tenant, seconds: number): Write[] {
  return [write(updateBatchesAdvanced, { merchant_id: tenant.merchantId, mode: tenant.mode, seconds })];
}
