import { type Maker, untilSettled, withClearance } from '../approvals/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requestBatchApproval } from './batch-approval.ts';
import type { BatchDeps } from './deps.ts';
import { dispatchParts, readyBatch } from './dispatch-parts.ts';
import { batchClosed, batchDigestMismatch, batchStillValidating } from './errors.ts';
import { requireBatch } from './read-batches.ts';

export interface DispatchBatchInput {
  tenant: Tenant;
  batchReference: string;
  /** Pay the valid items and leave out the others. */
  skipInvalid: boolean;
  /** The digest that the client saw; the dispatch is refused when it has changed. */
  digest?: string | undefined;
  /** Pay duplicates too, as many as `duplicates` or as were reported last. */
  allowDuplicate?: boolean | undefined;
  duplicates?: number | undefined;
  maker: Maker;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Holds the money of every valid item, in one movement whatever their number: all or nothing. The holds are for chunks
 * of items; workers expand these later into payouts with holds of their own. It pays exactly the items that it read: a
 * batch that was changed meanwhile is not dispatched, nor one with more duplicates than was said. Where people have to
 * approve it first, nothing is held, and the last approval dispatches it. The caller has checked the PIN.
 * @throws AppError `BATCH_NOT_FOUND`; 409 `BATCH_VALIDATING`, `BATCH_ALREADY_DISPATCHED`, `BATCH_ALREADY_CANCELLED`,
 *   `BATCH_EXPIRED`, `BATCH_CHANGED`, `BATCH_DIGEST_MISMATCH`, `BATCH_OUTCOME_UNCERTAIN`, `BATCH_DUPLICATE`, `BATCH_REPEATS_CHANGED`; 422 `BATCH_HAS_INVALID_ITEMS`,
 *   `BATCH_EMPTY`, `INSUFFICIENT_FUNDS`, `PAYOUT_LIMIT_EXCEEDED`, `DAILY_LIMIT_EXCEEDED`.
 */
export async function dispatchBatch(deps: BatchDeps, input: DispatchBatchInput): Promise<CommitResult> {
  const { id } = await requireBatch(deps.database, input.tenant, input.batchReference);
  const result = await deps.inTurn(id, () => untilSettled(() => dispatchInTurn(deps, input)));
  deps.wake();
  return result;
}

async function dispatchInTurn(deps: BatchDeps, input: DispatchBatchInput): Promise<CommitResult> {
  const { tenant, skipInvalid, maker, idempotency } = input;
  // The batch with its version first, then its items: a change in between takes the version.
  const batch = await requireBatch(deps.database, tenant, input.batchReference);
  if (batch.status === 'VALIDATING') throw batchStillValidating();
  if (batch.status !== 'READY' && batch.status !== 'NEEDS_FIX') throw batchClosed(batch.status);
  const at = deps.clock.now();
  const asShown = (digest: string) => {
    if (input.digest !== undefined && input.digest !== digest) throw batchDigestMismatch();
  };
  const terms = { skipInvalid, allowDuplicate: input.allowDuplicate ?? false };
  const ready = await readyBatch(deps, batch, { ...terms, duplicates: input.duplicates, asShown }, at);
  const base = { tenant, id: batch.id, occurredAt: at.toISOString(), idempotency };
  const { amountMinor } = ready.plan;
  try {
    return await withClearance(deps, { tenant, kind: 'BATCH', amountMinor, maker }, async (clearance) => {
      if (clearance.kind === 'HELD') {
        const parts = requestBatchApproval(clearance, batch, ready, terms, at);
        return deps.ledger.commit({ ...base, ...parts, answer: { message: 'Bulk payout waits for approval' } });
      }
      const parts = await dispatchParts(deps, batch, ready, { ...terms, cleared: clearance, at });
      return deps.ledger.commit({ ...base, ...parts, answer: { message: 'Bulk payout has been dispatched' } });
    });
  } catch (error) {
    throw await clearer(deps, input, error);
  }
}

/** Where another process dispatched it first, the refusal says that rather than that it changed. */
async function clearer(deps: BatchDeps, input: DispatchBatchInput, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'BATCH_CHANGED') return error;
  const { status } = await requireBatch(deps.database, input.tenant, input.batchReference);
  return status === 'READY' || status === 'NEEDS_FIX' ? error : batchClosed(status);
}
