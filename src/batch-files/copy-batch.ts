import {
  type BatchRow,
  batchView,
  type CopiedItemRow,
  EXPIRES_AFTER_MS,
  findBatch,
  type ItemRow,
  insertBatches,
  insertCopiedItems,
  listItemsRetried,
  listItemsToRepeat,
  listItemsToRetry,
  listRetries,
  listUncertainItems,
  requireBatch,
  updateBatchesOrigin,
} from '../batches/index.ts';
import type { CommitResult, IdempotencyKey, UniqueKey } from '../ledger/index.ts';
import { type PayoutDeps, requireRail } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { firstCharacters } from '../platform/text.ts';
import { LIST_MEMORY_BYTES } from '../platform/uploads.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { batchNotPaid, nothingToRetry, retriedMeanwhile } from './errors.ts';
import { deleteUploads, type UploadRow } from './queries.ts';
import { beginUpload, discardUpload, uploadKey } from './uploads.ts';

/** So many items are read and written together. */
const PIECE_ITEMS = 500;

export interface CopyOrder {
  /** The earlier batch. */
  origin: BatchRow;
  /** What the new one keeps of where it came from: the id of the earlier batch in one of them. */
  link: { origin_batch_id: string | null; repeated_batch_id: string | null };
  /** The items of the earlier batch that become rows of the new one, piece by piece, in their order. */
  items: () => AsyncIterable<readonly ItemRow[]>;
  /** The columns that change when an item becomes a row. The others stay as they were. */
  rowOf: (item: ItemRow) => Pick<CopiedItemRow, 'narration' | 'origin_item_id'>;
  fileName: (name: string) => string;
  /** The refusal where there is no item to copy. */
  none: () => AppError;
  uniqueKeys: readonly UniqueKey[];
  idempotency: IdempotencyKey | undefined;
}

/**
 * A new batch of items of an earlier one, for somebody to look at, correct and dispatch as any other: each is validated
 * anew. Its rows are written in pieces beforehand, where nobody sees them; the batch appears whole, in one movement, or
 * not at all. What a killed process leaves is found as of an upload. It has its turn among the uploads of the merchant: a
 * request of a few bytes makes as many rows as a whole file.
 * @throws AppError 409 `UPLOAD_ABANDONED`, 503 `UPLOADS_BUSY`, and what the order refuses with
 */
function copyBatch(deps: PayoutDeps, order: CopyOrder): Promise<CommitResult> {
  return deps.uploads.holding(order.origin.merchant_id, LIST_MEMORY_BYTES, () => copyInTurn(deps, order));
}

async function copyInTurn(deps: PayoutDeps, order: CopyOrder): Promise<CommitResult> {
  const upload = await beginUpload(deps, tenantOf(order.origin));
  try {
    const count = await copyItems(deps, order, upload);
    if (count === 0) throw order.none();
    const result = await commitCopy(deps, order, upload, count);
    if (result.replayed && (await isMissing(deps, upload))) await discardUpload(deps, upload);
    deps.wake();
    return result;
  } catch (error) {
    // A refusal made nothing. After anything else nobody knows, and the sweep finds out.
    if (error instanceof AppError && error.kind !== 'unavailable') await discardUpload(deps, upload);
    throw error;
  }
}

function commitCopy(deps: PayoutDeps, order: CopyOrder, upload: UploadRow, count: number): Promise<CommitResult> {
  const batch = newBatch(deps.clock.now(), order, upload, count);
  const { merchant_id, mode, batch_id } = upload;
  // The rows come from no file, so nothing was corrected, skipped or left unread.
  const view = { ...batchView({ ...batch, ...order.link }), warnings: [], problems: [], understood: null };
  return deps.ledger.commit({
    tenant: tenantOf(batch),
    id: batch.id,
    occurredAt: batch.created_at.toISOString(),
    idempotency: order.idempotency,
    uniqueKeys: [uploadKey(batch.id), ...order.uniqueKeys],
    writes: [
      write(insertBatches, batch),
      write(updateBatchesOrigin, { merchant_id, mode, id: batch.id, ...order.link }),
      write(deleteUploads, { merchant_id, mode, batch_id }),
    ],
    events: [{ id: newId(), type: 'batch.created', subjectId: batch.id, data: JSON.stringify(view) }],
    answer: { message: 'Bulk payout is being validated' },
  });
}

async function isMissing(deps: PayoutDeps, { merchant_id, mode, batch_id }: UploadRow): Promise<boolean> {
  return (await deps.database.query(findBatch, [merchant_id, mode, batch_id])).length === 0;
}

/** Piece by piece, where nobody sees them yet. @returns how many */
async function copyItems(deps: PayoutDeps, { items, rowOf }: CopyOrder, upload: UploadRow): Promise<number> {
  let count = 0;
  for await (const piece of items()) {
    const from = count;
    count += piece.length;
    if (piece.length === 0) continue;
    await deps.database.run(
      insertCopiedItems,
      piece.map((item, at) => ({ ...copiedItem(upload, item, from + at + 1), ...rowOf(item) })),
    );
  }
  return count;
}

function copiedItem(upload: UploadRow, item: ItemRow, position: number): Omit<CopiedItemRow, 'origin_item_id'> {
  const { merchant_id, mode, batch_id, started_at: created_at } = upload;
  const { amount_minor, bank_code, account_number, narration, phone_number, given_name, account_name } = item;
  const paid = { amount_minor, bank_code, account_number, narration, phone_number };
  const scope = { merchant_id, mode, batch_id, created_at, is_valid: false };
  // The name that the bank gave last time is the person who is meant: a different name is then noticed.
  return { ...scope, ...paid, id: newId(), position, given_name: given_name ?? account_name };
}

function newBatch(at: Date, { origin, fileName }: CopyOrder, upload: UploadRow, count: number): BatchRow {
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
    file_name: origin.file_name === null ? null : firstCharacters(fileName(origin.file_name), 255),
    created_at: at,
    updated_at: at,
  };
}

export interface RepeatBatchInput {
  tenant: Tenant;
  batchReference: string;
  /** For all rows. Without it each keeps its own. */
  narration: string | undefined;
  idempotency: IdempotencyKey | undefined;
}

/** Stands before the name of the file that the first of such lists came from. */
const PREFIX = 'Same as: ';

/**
 * A new batch of everybody whom an earlier one paid or tried to pay, with the same amounts: the salaries of the next month.
 * What was left out of the earlier one when it was dispatched is not in it. It is validated anew, its banks are asked for
 * the names again, and it is edited and dispatched as any other. It may be asked for as often as somebody wants it: the
 * guard against duplicates warns where that was too soon.
 * @throws AppError 400 `VALIDATION_FAILED` for a narration that says nothing; `BATCH_NOT_FOUND`; 409 `BATCH_NOT_PAID` for a batch that is not paid or is still being paid,
 *   `UPLOAD_ABANDONED`; 503 `RAIL_NOT_CONFIGURED`, `UPLOADS_BUSY`
 */
export async function repeatBatch(deps: PayoutDeps, input: RepeatBatchInput): Promise<CommitResult> {
  const { tenant, batchReference, idempotency } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  const narration = input.narration?.trim();
  if (narration === '') throw invalidField('narration', 'must say something');
  const origin = await requireBatch(deps.database, tenant, batchReference);
  if (origin.status !== 'COMPLETED' && origin.status !== 'PARTIALLY_COMPLETED') throw batchNotPaid();
  await requireRail(deps.rails, tenant);
  return copyBatch(deps, {
    origin,
    link: { origin_batch_id: null, repeated_batch_id: origin.id },
    items: () => itemsToRepeat(deps, origin),
    rowOf: (item) => ({ narration: narration ?? item.narration, origin_item_id: null }),
    fileName: (name) => (name.startsWith(PREFIX) ? name : `${PREFIX}${name}`),
    none: batchNotPaid,
    uniqueKeys: [],
    idempotency,
  });
}

async function* itemsToRepeat({ database }: PayoutDeps, origin: BatchRow): AsyncGenerator<ItemRow[]> {
  const key = [origin.merchant_id, origin.mode, origin.id];
  for (let after = 0; ; ) {
    const found = await database.query(listItemsToRepeat, [...key, after, PIECE_ITEMS]);
    yield found;
    after = found.at(-1)?.position ?? after;
    if (found.length < PIECE_ITEMS) return;
  }
}

/** How many attempts a retry gets against others of the same batch at the same moment. */
const MAX_ATTEMPTS = 3;

export interface RetryBatchInput {
  tenant: Tenant;
  batchReference: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * A new batch of the payouts of a batch that failed for good or were returned, for somebody to look at, correct and
 * dispatch as any other. A payout whose outcome is not known is never in it. No item is in two such lists, unless the
 * other list was cancelled, expired or was dispatched without the item. So a retry list may be asked for again, also
 * while payouts are under way.
 * @throws AppError `BATCH_NOT_FOUND`; 409 `BATCH_NOTHING_TO_RETRY`, `UPLOAD_ABANDONED`; 503 `RAIL_NOT_CONFIGURED`,
 *   `UPLOADS_BUSY`
 */
export async function retryBatch(deps: PayoutDeps, input: RetryBatchInput): Promise<CommitResult> {
  const earlier = input.idempotency && (await deps.ledger.findAnswer(input.tenant, input.idempotency));
  if (earlier !== undefined) return earlier;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await tryRetry(deps, input);
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
  // The number of retries is read before the items: another retry made meanwhile takes the name that this one needs.
  const retries = await deps.database.query(listRetries, [origin.merchant_id, origin.mode, origin.id]);
  return copyBatch(deps, {
    origin,
    link: { origin_batch_id: origin.id, repeated_batch_id: null },
    items: () => itemsToRetry(deps, origin),
    rowOf: ({ id, narration }) => ({ narration, origin_item_id: id }),
    fileName: (name) => `Not paid: ${name}`,
    none: () => nothingToRetry(retries[0] && batchReferenceOf(retries[0].id)),
    uniqueKeys: [{ scope: 'BATCH_RETRY', value: `${origin.id}/${retries.length}`, refusal: retriedMeanwhile }],
    idempotency,
  });
}

async function* itemsToRetry({ database }: PayoutDeps, origin: BatchRow): AsyncGenerator<ItemRow[]> {
  const key = [origin.merchant_id, origin.mode, origin.id];
  const [retried, uncertain] = await Promise.all([
    database.query(listItemsRetried, key),
    database.query(listUncertainItems, key),
  ]);
  const taken = new Set([...retried.map(({ origin_item_id }) => origin_item_id), ...uncertain.map(({ id }) => id)]);
  for (let after = 0; ; ) {
    const found = await database.query(listItemsToRetry, [...key, after, PIECE_ITEMS]);
    yield found.filter(({ id }) => !taken.has(id));
    after = found.at(-1)?.position ?? after;
    if (found.length < PIECE_ITEMS) return;
  }
}
