import { hash } from 'node:crypto';
import type { PayoutDeps } from '../payouts/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { AppError } from '../platform/errors.ts';
import { type ChunkRow, digestChunks, digestItems, updateBatchDigest } from './dispatch-queries.ts';
import { batchItemsAltered } from './errors.ts';
import type { BatchPlan, ChunkPlan } from './plan-batch.ts';
import { type BatchRecord, findBatch } from './queries.ts';

/**
 * What a client is shown: the items in order, paid or not, what they cost and by which rules. SHA-256, hex. What items
 * repeat is not in it: that changes by itself.
 * @param items their fingerprint.
 */
export function shownDigest({ purpose }: BatchRecord, plan: BatchPlan, items: string): string {
  const { amountMinor, feeMinor, vatMinor, stampDutyMinor, rules } = plan;
  const costs = [amountMinor, feeMinor, vatMinor, stampDutyMinor].map(String);
  return hash('sha256', JSON.stringify([items, purpose, ...costs, ...rules]), 'hex');
}

/** How a dispatch refuses items that are others than they were. */
export interface Refusals {
  /** What the items were when people were asked; else what is remembered of this version. */
  asked?: string | undefined;
  /** The batch took another version at this moment. */
  changed(): AppError;
  /** It did not: they were altered behind the service. Makes the refusal, after an alarm. */
  altered(): AppError;
}

/**
 * From the items as they are at the moment of this snapshot: for a dispatch, which pays what is there. Within a version
 * nobody changes an item in the service.
 * @throws AppError as `refusals` makes it where the items are others than they were.
 */
export async function digestItemsNow(queries: Queries, batch: BatchRecord, refusals: Refusals): Promise<string> {
  const before = refusals.asked ?? knownDigest(batch);
  const now = await digestItemsOf(queries, batch);
  if (before !== undefined && before !== now) {
    const [current] = await queries.query(findBatch, [batch.merchant_id, batch.mode, batch.id]);
    throw current?.version === batch.version ? refusals.altered() : refusals.changed();
  }
  return now;
}

/** Where no approval says more. */
export function alarmItemsAltered(deps: PayoutDeps, batch: Pick<BatchRecord, 'id' | 'mode'>): AppError {
  const { id: batchId, mode } = batch;
  deps.logger.error({ batchId, mode }, 'items of a batch were altered behind the service');
  deps.onAlarm?.({ alarm: 'BATCH_ITEMS_ALTERED', mode });
  return batchItemsAltered();
}

/** Of each chunk, what its items are: everything that becomes a payout. SHA-256, hex. */
export async function digestOfChunks(
  queries: Queries,
  batch: Pick<ChunkRow, 'merchant_id' | 'mode'> & { id: string },
  chunks: readonly Pick<ChunkPlan, 'firstPosition' | 'lastPosition'>[],
): Promise<string[]> {
  const rows = await queries.query(digestChunks, [
    batch.merchant_id,
    batch.mode,
    batch.id,
    chunks.map(({ firstPosition }) => firstPosition),
    chunks.map(({ lastPosition }) => lastPosition),
  ]);
  return rows.map(({ digest }) => digest);
}

/** Of all items in order, with everything that a clerk sees of each, as the row remembers it, unless they have changed since. */
export function knownDigest({ items_digest, digest_version, version }: BatchRecord): string | undefined {
  return digest_version === version ? (items_digest ?? undefined) : undefined;
}

export async function digestItemsOf(queries: Queries, { merchant_id, mode, id }: BatchRecord): Promise<string> {
  const [digest] = await queries.query(digestItems, [merchant_id, mode, id]);
  if (digest === undefined) throw new Error(`no digest of batch ${id}`);
  return digest.items;
}

/** Keeps the digest for the next reader, unless the batch has changed since. */
export async function rememberDigest(
  queries: Queries,
  { merchant_id, mode, id, version }: BatchRecord,
  items: string,
): Promise<void> {
  await queries.query(updateBatchDigest, [merchant_id, mode, id, version, items]);
}
