import {
  type BatchRow,
  type ItemRow,
  listItemsRetried,
  listItemsToRetry,
  listRetries,
  requireBatch,
} from '../batches/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { type PayoutDeps, requireRail } from '../payouts/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import { copyBatch, PIECE_ITEMS } from './copy-batch.ts';
import { nothingToRetry, retriedMeanwhile } from './errors.ts';

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
  // How many there are is read before the items: whoever makes another one takes the name that this one wants.
  const retries = await deps.database.query(listRetries, [origin.merchant_id, origin.mode, origin.id]);
  return copyBatch(deps, {
    origin,
    link: { origin_batch_id: origin.id, repeated_batch_id: null },
    items: () => itemsToRetry(deps, origin),
    rowOf: ({ id, narration }) => ({ narration, origin_item_id: id }),
    fileName: (name) => `Not paid: ${name}`,
    none: () => nothingToRetry(retries[0] && batchReferenceOf(retries[0].id)),
    uniqueKeys: [{ scope: 'BATCH_RETRY', value: `${origin.id}/${retries.length}`, taken: retriedMeanwhile }],
    idempotency,
  });
}

async function* itemsToRetry({ database }: PayoutDeps, origin: BatchRow): AsyncGenerator<ItemRow[]> {
  const key = [origin.merchant_id, origin.mode, origin.id];
  const retried = await database.query(listItemsRetried, key);
  const taken = new Set(retried.map(({ origin_item_id }) => origin_item_id));
  for (let after = 0; ; ) {
    const found = await database.query(listItemsToRetry, [...key, after, PIECE_ITEMS]);
    yield found.filter(({ id }) => !taken.has(id));
    after = found.at(-1)?.position ?? after;
    if (found.length < PIECE_ITEMS) return;
  }
}
