import { hash } from 'node:crypto';
import type { PayoutDeps } from '../payouts/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { AppError } from '../platform/errors.ts';
import { type ChunkRow, digestChunks, digestItems, updateBatchDigest } from './dispatch-queries.ts';
import { batchItemsAltered } from './errors.ts';
import type { BatchPlan, ChunkPlan } from './plan-batch.ts';
import { type BatchRecord, findBatch } from './queries.ts';

/**
 * The digest of what a client is shown: the items in order, paid or not, what they cost and by which rules. SHA-256,
 * hex. What items repeat is not in it, since that changes by itself.
 * @param items their fingerprint.
 */
export function shownDigest({ purpose }: BatchRecord, plan: BatchPlan, items: string): string {
  const { amountMinor, feeMinor, vatMinor, stampDutyMinor, rules } = plan;
  const costs = [amountMinor, feeMinor, vatMinor, stampDutyMinor].map(String);
  return hash('sha256', JSON.stringify([items, purpose, ...costs, ...rules]), 'hex');
}

/** How a dispatch refuses items that have changed. */
export interface Refusals {
  /** The fingerprint when people were asked; otherwise the cached one of this version. */
  asked?: string | undefined;
  /** The batch has a newer version. */
  changed(): AppError;
  /** The version is the same: the items were altered past the service. Makes the refusal, after an alarm. */
  altered(): AppError;
}

/**
 * The fingerprint of the items at the moment of this snapshot: for a dispatch, which pays what is there. The service
 * never changes an item within a version.
 * @throws AppError of `refusals` where the items have changed.
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

/** For dispatches without an approval. */
export function alarmItemsAltered(deps: PayoutDeps, batch: Pick<BatchRecord, 'id' | 'mode'>): AppError {
  const { id: batchId, mode } = batch;
  deps.logger.error({ batchId, mode }, 'items of a batch were altered behind the service');
  deps.onAlarm?.({ alarm: 'BATCH_ITEMS_ALTERED', mode });
  return batchItemsAltered();
}

/** For each chunk, a digest of all fields of its items that become payouts. SHA-256, hex. */
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

/**
 * The digest of all items in order, with every field that a clerk sees, as the row has it, unless the items have
 * changed since.
 */
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
