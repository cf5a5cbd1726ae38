import {
  type BatchRow,
  batchView,
  EXPIRES_AFTER_MS,
  findBatch,
  type ItemRow,
  insertBatches,
  insertRetriedItems,
  listItemsRetried,
  listItemsToRetry,
  listRetries,
  type RetriedItemRow,
  requireBatch,
  updateBatchesOrigin,
} from '../batches/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { type PayoutDeps, requireRail } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { nothingToRetry, retriedMeanwhile } from './errors.ts';
import { deleteUploads, type UploadRow } from './queries.ts';
import { beginUpload, discardUpload, uploadKey } from './uploads.ts';

/** Items that are read and written together. */
const PIECE_ITEMS = 1_000;
/** Attempts against others who do the same at the same moment. */
const MAX_ATTEMPTS = 3;

export interface RetryBatchInput {
  tenant: Tenant;
  batchReference: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * A new batch of the payouts of a batch that failed for good or were returned, for somebody to look at, correct and
 * dispatch as any other. A payout whose outcome is not known is never in it, and no item is in two such lists unless the
 * other one was called off, expired or was dispatched without it: so it may be asked for again, also while payouts are under way.
 * @throws AppError `BATCH_NOT_FOUND`; 409 `BATCH_NOTHING_TO_RETRY`, `UPLOAD_ABANDONED`; 503 `RAIL_NOT_CONFIGURED`
 */
export async function retryBatch(deps: PayoutDeps, input: RetryBatchInput): Promise<CommitResult> {
  const earlier = input.idempotency && (await deps.ledger.findAnswer(input.tenant, input.idempotency));
  if (earlier !== undefined) return earlier;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const result = await tryRetry(deps, input);
      deps.wake();
      return result;
    } catch (error) {
      const collided = error instanceof AppError && error.code === 'BATCH_RETRIED_MEANWHILE';
      if (!collided || error.kept || attempts >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function tryRetry(
  deps: PayoutDeps,
  { tenant, batchReference, idempotency }: RetryBatchInput,
): Promise<CommitResult> {
  const origin = await requireBatch(deps.database, tenant, batchReference);
  await requireRail(deps.rails, tenant);
  // How many there are is read before the items: whoever makes another one takes the name that this one wants.
  const retries = await deps.database.query(listRetries, [origin.merchant_id, origin.mode, origin.id]);
  const upload = await beginUpload(deps, tenant);
  try {
    const count = await copyItems(deps, origin, upload);
    if (count === 0) throw nothingToRetry(retries[0] && batchReferenceOf(retries[0].id));
    const batch = newBatch(deps.clock.now(), origin, upload, count);
    const { merchant_id, mode, batch_id } = upload;
    const view = batchView({ ...batch, origin_batch_id: origin.id });
    const result = await deps.ledger.commit({
      tenant,
      id: batch.id,
      occurredAt: batch.created_at.toISOString(),
      idempotency,
      uniqueKeys: [
        uploadKey(batch.id),
        { scope: 'BATCH_RETRY', value: `${origin.id}/${retries.length}`, taken: retriedMeanwhile },
      ],
      writes: [
        write(insertBatches, batch),
        write(updateBatchesOrigin, { merchant_id, mode, id: batch.id, origin_batch_id: origin.id }),
        write(deleteUploads, { merchant_id, mode, batch_id }),
      ],
      events: [{ id: newId(), type: 'batch.created', subjectId: batch.id, data: JSON.stringify(view) }],
      answer: { message: 'Bulk payout is being validated' },
    });
    if (result.replayed && (await isMissing(deps, upload))) await discardUpload(deps, upload);
    return result;
  } catch (error) {
    // A refusal made nothing. After anything else nobody knows, and the sweep finds out.
    if (error instanceof AppError && error.kind !== 'unavailable') await discardUpload(deps, upload);
    throw error;
  }
}

async function isMissing(deps: PayoutDeps, { merchant_id, mode, batch_id }: UploadRow): Promise<boolean> {
  return (await deps.database.query(findBatch, [merchant_id, mode, batch_id])).length === 0;
}

/** Piece by piece, where nobody sees them yet. @returns how many */
async function copyItems(deps: PayoutDeps, origin: BatchRow, upload: UploadRow): Promise<number> {
  const key = [origin.merchant_id, origin.mode, origin.id];
  const retried = await deps.database.query(listItemsRetried, key);
  const taken = new Set(retried.map(({ origin_item_id }) => origin_item_id));
  let count = 0;
  for (let after = 0; ; ) {
    const found = await deps.database.query(listItemsToRetry, [...key, after, PIECE_ITEMS]);
    const items = found.filter(({ id }) => !taken.has(id));
    const from = count;
    if (items.length > 0) {
      await deps.database.run(
        insertRetriedItems,
        items.map((item, at) => retriedItem(upload, item, from + at + 1)),
      );
    }
    count += items.length;
    after = found.at(-1)?.position ?? after;
    if (found.length < PIECE_ITEMS) return count;
  }
}

function retriedItem(upload: UploadRow, item: ItemRow, position: number): RetriedItemRow {
  const { merchant_id, mode, batch_id, started_at: created_at } = upload;
  const { amount_minor, bank_code, account_number, narration, phone_number, given_name, account_name } = item;
  const paid = { amount_minor, bank_code, account_number, narration, phone_number };
  const scope = { merchant_id, mode, batch_id, created_at, is_valid: false };
  // Whoever the bank named last time is who is meant: another name is then noticed.
  return { ...scope, ...paid, id: newId(), position, given_name: given_name ?? account_name, origin_item_id: item.id };
}

function newBatch(at: Date, origin: BatchRow, upload: UploadRow, count: number): BatchRow {
  return {
    merchant_id: upload.merchant_id,
    mode: upload.mode,
    id: upload.batch_id,
    status: 'VALIDATING',
    reason: null,
    purpose: origin.purpose,
    scenario: null,
    version: 1,
    item_count: count,
    open_items: 0,
    due_at: at,
    expires_at: new Date(at.getTime() + EXPIRES_AFTER_MS),
    dispatched_at: null,
    source: origin.source,
    file_name: origin.file_name === null ? null : `Not paid: ${origin.file_name}`.slice(0, 255),
    created_at: at,
    updated_at: at,
  };
}
