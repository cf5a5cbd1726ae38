import type { CommitResult, IdempotencyKey, Mark, TransferDraft } from '../../ledger/index.ts';
import { type Write, write } from '../../platform/db/statement.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { batchReferenceOf } from '../../transactions/index.ts';
import type { TenantAccounts } from '../../wallets/index.ts';
import { checkPayoutLimit, dayAllowance } from '../guards.ts';
import { makeHolds } from '../holds.ts';
import { requireRail } from '../rails.ts';
import { changeBatch, tenantOfBatch } from './batch-change.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { digestBatch } from './dispatch/digest-batch.ts';
import type { BatchPlan, ChunkPlan } from './dispatch/plan-batch.ts';
import { insertChunks, updateBatchesDispatched } from './dispatch/queries.ts';
import {
  batchClosed,
  batchDigestMismatch,
  batchDuplicate,
  batchEmpty,
  batchHasInvalidItems,
  batchStillValidating,
} from './errors.ts';
import type { BatchRecord } from './queries.ts';
import { requireBatch } from './read-batches.ts';

/** A batch whose payouts have all ended is concluded at once; should that be lost, a worker looks after this long. */
const RECHECK_MS = 60_000;
/** The same people paid the same amounts again within this is a file that was uploaded twice. */
const SAME_CONTENT_WITHIN_MS = 24 * 60 * 60 * 1000;

export interface DispatchBatchInput {
  tenant: Tenant;
  batchReference: string;
  /** Pay the valid items and leave the others. */
  skipInvalid: boolean;
  /** As the client saw it; the dispatch is refused when it is another by now. */
  digest?: string | undefined;
  /** Pay the same again although another batch did so within a day. */
  allowDuplicate?: boolean | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Holds the money of every valid item, in one movement whatever their number: all or nothing. The holds are for chunks of
 * items; workers open them later into payouts with holds of their own. It pays exactly the items that it read: a batch
 * that was changed meanwhile is not dispatched. The caller has checked the PIN.
 * @throws AppError `BATCH_NOT_FOUND`; 409 `BATCH_VALIDATING`, `BATCH_ALREADY_DISPATCHED`, `BATCH_ALREADY_CANCELLED`,
 *   `BATCH_EXPIRED`, `BATCH_CHANGED`, `BATCH_DIGEST_MISMATCH`, `BATCH_DUPLICATE`; 422 `BATCH_HAS_INVALID_ITEMS`,
 *   `BATCH_EMPTY`, `INSUFFICIENT_FUNDS`, `PAYOUT_LIMIT_EXCEEDED`, `DAILY_LIMIT_EXCEEDED`.
 */
export async function dispatchBatch(deps: BulkDeps, input: DispatchBatchInput): Promise<CommitResult> {
  const { id } = await requireBatch(deps.database, input.tenant, input.batchReference);
  const result = await deps.inTurn(id, () => dispatchInTurn(deps, input));
  deps.wake();
  return result;
}

async function dispatchInTurn(deps: BulkDeps, input: DispatchBatchInput): Promise<CommitResult> {
  // The batch with its version first, its items after: a change in between takes the version.
  const batch = await requireBatch(deps.database, input.tenant, input.batchReference);
  if (batch.status === 'VALIDATING') throw batchStillValidating();
  if (batch.status !== 'READY' && batch.status !== 'NEEDS_FIX') throw batchClosed(batch.status);
  const now = deps.clock.now();
  const plan = await deps.plans(batch, now);
  const { shown, content } = await digestBatch(deps, batch, plan);
  if (input.digest !== undefined && input.digest !== shown) throw batchDigestMismatch();
  if (batch.invalid_items > 0 && !input.skipInvalid) throw batchHasInvalidItems(batch.invalid_items);
  if (plan.items === 0) throw batchEmpty();
  const [accounts, { countedOn, allowances }] = await Promise.all([
    deps.wallets.requireTenantAccounts(input.tenant),
    dayAllowance(deps, input.tenant, plan.amountMinor, now),
    checkPayoutLimit(deps, input.tenant, plan.maxAmountMinor),
    requireRail(deps.rails, input.tenant),
  ]);
  const { movement } = changeBatch(batch, {
    at: now,
    to: 'DISPATCHING',
    fields: { dispatched_at: now.toISOString(), due_at: new Date(now.getTime() + RECHECK_MS).toISOString() },
    event: 'batch.dispatched',
  });
  const { transfers, writes } = holdChunks(batch, plan, accounts, now);
  try {
    return await deps.ledger.commit({
      ...movement,
      idempotency: input.idempotency,
      marks: [contentMark(content, input.allowDuplicate ?? false)],
      ...(allowances === undefined ? {} : { allowances }),
      transfers,
      writes: [
        ...movement.writes,
        write(updateBatchesDispatched, dispatched(batch, plan, shown, countedOn)),
        ...writes,
      ],
      answer: { message: 'Bulk payout has been dispatched' },
    });
  } catch (error) {
    throw await clearer(deps, input, error);
  }
}

/** Another process dispatched it first: that says more than that it changed. */
async function clearer(deps: BulkDeps, input: DispatchBatchInput, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'BATCH_CHANGED') return error;
  const { status } = await requireBatch(deps.database, input.tenant, input.batchReference);
  return status === 'READY' || status === 'NEEDS_FIX' ? error : batchClosed(status);
}

function contentMark(content: string, allowDuplicate: boolean): Mark {
  return {
    scope: 'BATCH_CONTENT',
    value: content,
    withinMs: allowDuplicate ? null : SAME_CONTENT_WITHIN_MS,
    seen: (batchId) => batchDuplicate(batchReferenceOf(batchId)),
  };
}

function dispatched({ merchant_id, mode, id }: BatchRecord, plan: BatchPlan, digest: string, countedOn: string) {
  return {
    merchant_id,
    mode,
    id,
    open_items: plan.items,
    amount_minor: plan.amountMinor,
    fee_minor: plan.feeMinor,
    vat_minor: plan.vatMinor,
    stamp_duty_minor: plan.stampDutyMinor,
    dispatched_digest: digest,
    counted_on: countedOn,
  };
}

/** Each chunk is a transaction of its own in the books, until it is opened. */
function holdChunks(
  batch: BatchRecord,
  plan: BatchPlan,
  accounts: TenantAccounts,
  now: Date,
): { transfers: TransferDraft[]; writes: Write[] } {
  const { merchantId, mode } = tenantOfBatch(batch);
  const transfers: TransferDraft[] = [];
  const writes = plan.chunks.map((chunk: ChunkPlan, at) => {
    const id = newId();
    const made = makeHolds(accounts, id, chunk);
    transfers.push(...made.transfers);
    return write(insertChunks, {
      merchant_id: merchantId,
      mode,
      batch_id: batch.id,
      chunk: at + 1,
      id,
      first_position: chunk.firstPosition,
      last_position: chunk.lastPosition,
      item_count: chunk.items,
      amount_minor: chunk.amountMinor,
      fee_minor: chunk.feeMinor,
      vat_minor: chunk.vatMinor,
      stamp_duty_minor: chunk.stampDutyMinor,
      ...made.holds,
      due_at: now.toISOString(),
    });
  });
  return { transfers, writes };
}
