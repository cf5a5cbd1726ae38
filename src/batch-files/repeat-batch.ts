import { type BatchRow, type ItemRow, listItemsToRepeat, requireBatch } from '../batches/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { type PayoutDeps, requireRail } from '../payouts/index.ts';
import { invalidField } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { copyBatch, PIECE_ITEMS } from './copy-batch.ts';
import { batchNotPaid } from './errors.ts';

export interface RepeatBatchInput {
  tenant: Tenant;
  batchReference: string;
  /** For all rows; left out, each keeps its own. */
  narration: string | undefined;
  idempotency: IdempotencyKey | undefined;
}

/** Before the name of the file that the first of such lists came from. */
const PREFIX = 'Same as: ';

/**
 * A new batch of everybody whom an earlier one paid or tried to pay, with the same amounts: the salaries of the next month.
 * What was left out of the earlier one when it was dispatched is not in it. It is validated anew, its banks are asked for
 * the names again, and it is edited and dispatched as any other. It may be asked for as often as somebody wants it: the
 * guard against duplicates warns where that was too soon.
 * @throws AppError 400 `VALIDATION_FAILED` for a narration that says nothing; `BATCH_NOT_FOUND`; 409 `BATCH_NOT_PAID` for a batch that is not paid or is still being paid,
 *   `UPLOAD_ABANDONED`; 503 `RAIL_NOT_CONFIGURED`
 */
export async function repeatBatch(deps: PayoutDeps, input: RepeatBatchInput): Promise<CommitResult> {
  const { tenant, batchReference, idempotency } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  const narration = input.narration?.trim();
  if (narration === '') throw invalidField('narration', 'must say something.');
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
