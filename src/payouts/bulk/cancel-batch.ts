import type { CommitResult, IdempotencyKey } from '../../ledger/index.ts';
import type { Tenant } from '../../platform/tenant.ts';
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
 * Calls a batch off before it is dispatched. Its items stay to be looked at.
 * @throws AppError `BATCH_NOT_FOUND`, 409 `BATCH_ALREADY_CANCELLED`, `BATCH_ALREADY_DISPATCHED`, `BATCH_EXPIRED`,
 *   `BATCH_CHANGED`
 */
export async function cancelBatch(deps: BulkDeps, input: CancelBatchInput): Promise<CommitResult> {
  const { id } = await requireBatch(deps.database, input.tenant, input.batchReference);
  return deps.inTurn(id, async () => {
    const batch = await requireBatch(deps.database, input.tenant, input.batchReference);
    if (!isOpen(batch.status)) throw batchClosed(batch.status);
    const { movement } = changeBatch(batch, {
      at: deps.clock.now(),
      to: 'CANCELLED',
      fields: { due_at: null },
      event: 'batch.cancelled',
    });
    return deps.ledger.commit({
      ...movement,
      idempotency: input.idempotency,
      answer: { message: 'Bulk payout has been cancelled' },
    });
  });
}
