import { joinParts, untilSettled } from '../../approvals/index.ts';
import type { CommitResult, IdempotencyKey } from '../../ledger/index.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { approvalVoided } from './batch-approval.ts';
import { changeBatch } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { batchClosed } from './errors.ts';
import { requireBatch } from './read-batches.ts';

export interface CancelBatchInput {
  tenant: Tenant;
  batchReference: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Calls a batch off before it is dispatched, also while it waits for approval, which dies with it. Its items stay to be
 * looked at.
 * @throws AppError `BATCH_NOT_FOUND`, 409 `BATCH_ALREADY_CANCELLED`, `BATCH_ALREADY_DISPATCHED`, `BATCH_EXPIRED`,
 *   `BATCH_CHANGED`
 */
export async function cancelBatch(deps: BulkDeps, input: CancelBatchInput): Promise<CommitResult> {
  const { id } = await requireBatch(deps.database, input.tenant, input.batchReference);
  return deps.inTurn(id, () => untilSettled(() => cancelAsItStands(deps, input)));
}

async function cancelAsItStands(deps: BulkDeps, input: CancelBatchInput): Promise<CommitResult> {
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
