import {
  type BatchRow,
  batchView,
  type CopiedItemRow,
  EXPIRES_AFTER_MS,
  findBatch,
  type ItemRow,
  insertBatches,
  insertCopiedItems,
  updateBatchesOrigin,
} from '../batches/index.ts';
import type { CommitResult, IdempotencyKey, UniqueKey } from '../ledger/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { tenantOf } from '../platform/tenant.ts';
import { deleteUploads, type UploadRow } from './queries.ts';
import { beginUpload, discardUpload, uploadKey } from './uploads.ts';

/** Items that are read and written together. */
export const PIECE_ITEMS = 500;

export interface CopyOrder {
  /** The earlier batch. */
  origin: BatchRow;
  /** What the new one keeps of where it came from: the id of the earlier batch in one of them. */
  link: { origin_batch_id: string | null; repeated_batch_id: string | null };
  /** Items of the earlier batch that become its rows, piece by piece, in their order. */
  items: () => AsyncIterable<readonly ItemRow[]>;
  /** What an item becomes; the rest of it is as it was. */
  rowOf: (item: ItemRow) => Pick<CopiedItemRow, 'narration' | 'origin_item_id'>;
  fileName: (name: string) => string;
  /** The refusal where there is no item at all. */
  none: () => AppError;
  uniqueKeys: readonly UniqueKey[];
  idempotency: IdempotencyKey | undefined;
}

/**
 * A new batch of items of an earlier one, for somebody to look at, correct and dispatch as any other: each is validated
 * anew. Its rows are written in pieces beforehand, where nobody sees them; the batch appears whole, in one movement, or
 * not at all. What a killed process leaves is found as of an upload.
 * @throws AppError 409 `UPLOAD_ABANDONED`, and what the order refuses with
 */
export async function copyBatch(deps: PayoutDeps, order: CopyOrder): Promise<CommitResult> {
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
  const view = batchView({ ...batch, ...order.link });
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
  // Whoever the bank named last time is who is meant: another name is then noticed.
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
    file_name: origin.file_name === null ? null : fileName(origin.file_name).slice(0, 255),
    created_at: at,
    updated_at: at,
  };
}
