import { untilSettled } from '../approvals/index.ts';
import { type CommitResult, type IdempotencyKey, joinParts } from '../ledger/index.ts';
import type { PayoutDeps, PayoutEndHook } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { createLruMap } from '../platform/cache.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { approvalVoided } from './batch-approval.ts';
import { changeBatch } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import type { BatchDeps } from './deps.ts';
import { batchClosed } from './errors.ts';
import { type BatchRecord, findBatch, updateBatchesPayoutsEnded } from './queries.ts';
import { requireBatch } from './read-batches.ts';

/** Time between two looks at one batch: a thousand of its payouts may end in a second. */
const LOOK_EVERY_MS = 250;
/** Batches in one process whose last look is remembered. */
const MAX_LOOKS = 10_000;

const COUNTED = {
  SUCCESS: { succeeded: 1, failed: 0, reversed: 0 },
  FAILED: { succeeded: 0, failed: 1, reversed: 0 },
  // Only a payout that succeeded can be reversed.
  REVERSED: { succeeded: -1, failed: 0, reversed: 1 },
} as const;

type ConcludeDeps = Pick<PayoutDeps, 'database' | 'ledger' | 'clock'>;

/**
 * Counts each payout that ends in its batch, in the movement that ends it; the last one also makes the batch due. After
 * each payout it looks whether the batch can be concluded, which costs little. That look may miss the last payout: then
 * a worker's next look concludes the batch.
 */
export function createBatchEndHook(): PayoutEndHook {
  /** When a batch was last looked at. */
  const looks = createLruMap<number>(MAX_LOOKS);
  return {
    writes({ merchant_id, mode, batch_id, amount_minor }, to) {
      // An item never waits for an approval of its own.
      if (batch_id === null || to === 'QUEUED' || to === 'CANCELLED') return [];
      const { succeeded } = COUNTED[to];
      const ended = { ...COUNTED[to], succeeded_minor: BigInt(succeeded) * amount_minor };
      return [write(updateBatchesPayoutsEnded, { merchant_id, mode, id: batch_id, ...ended })];
    },
    async committed(deps, { merchant_id, mode, batch_id }) {
      if (batch_id === null) return;
      const now = deps.clock.elapsedMs();
      if (now - (looks.get(batch_id) ?? -Infinity) < LOOK_EVERY_MS) return;
      looks.set(batch_id, now);
      const [batch] = await deps.database.query(findBatch, [merchant_id, mode, batch_id]);
      if (batch !== undefined) await concludeIfEnded(deps, batch);
    },
  };
}

/** Does nothing before the last payout of the batch has ended, and nothing the second time. */
export async function concludeIfEnded(deps: ConcludeDeps, batch: BatchRecord): Promise<void> {
  if (batch.status !== 'DISPATCHING' || batch.open_items > 0) return;
  const allSucceeded = batch.failed_items === 0;
  const { movement } = changeBatch(batch, {
    at: deps.clock.now(),
    to: allSucceeded ? 'COMPLETED' : 'PARTIALLY_COMPLETED',
    reason: allSucceeded ? null : 'PAYOUTS_FAILED',
    fields: { due_at: null },
    event: allSucceeded ? 'batch.completed' : 'batch.partially_completed',
  });
  try {
    await deps.ledger.commit({ ...movement, answer: success('Success') });
  } catch (error) {
    // Another process concluded it at the same moment.
    if (!(error instanceof AppError && error.code === 'BATCH_CHANGED')) throw error;
  }
}

export interface CancelBatchInput {
  tenant: Tenant;
  batchReference: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Cancels a batch before it is dispatched, also while it waits for approval; then its approval ends too. Its items can
 * still be read.
 * @throws AppError `BATCH_NOT_FOUND`, 409 `BATCH_ALREADY_CANCELLED`, `BATCH_ALREADY_DISPATCHED`, `BATCH_EXPIRED`,
 *   `BATCH_CHANGED`
 */
export async function cancelBatch(deps: BatchDeps, input: CancelBatchInput): Promise<CommitResult> {
  const { id } = await requireBatch(deps.database, input.tenant, input.batchReference);
  return deps.inTurn(id, () => untilSettled(() => cancelAsItStands(deps, input)));
}

async function cancelAsItStands(deps: BatchDeps, input: CancelBatchInput): Promise<CommitResult> {
  const batch = await requireBatch(deps.database, input.tenant, input.batchReference);
  if (!isOpen(batch.status)) throw batchClosed(batch.status);
  const at = deps.clock.now();
  const { movement } = changeBatch(
    { ...batch, approval_id: null },
    { at, to: 'CANCELLED', fields: { due_at: null }, event: 'batch.cancelled' },
  );
  return deps.ledger.commit({
    ...movement,
    ...joinParts(movement, await approvalVoided(deps, batch, 'BATCH_CANCELLED', at)),
    idempotency: input.idempotency,
    answer: { message: 'Bulk payout has been cancelled' },
  });
}
