import { hash } from 'node:crypto';
import type { Queries } from '../../../platform/db/database.ts';
import type { PayoutDeps } from '../../deps.ts';
import type { BatchRecord } from '../queries.ts';
import type { BatchPlan } from './plan-batch.ts';
import { digestItems, updateBatchDigests } from './queries.ts';

export interface Digests {
  /** What a client is shown: the items in order, paid or not, what they cost and by which rules. SHA-256, hex. */
  shown: string;
  /** Who gets how much, whatever else: two batches with the same pay the same people twice. SHA-256, hex. */
  content: string;
}

/** Fingerprints of the items alone. */
export interface ItemDigests {
  items: string;
  content: string;
}

/**
 * Fingerprints of a batch at its version. The items are read once a version and remembered in its row; charges are added
 * each time, because a batch that has not changed may cost something else tomorrow.
 */
export async function digestBatch(deps: PayoutDeps, batch: BatchRecord, plan: BatchPlan): Promise<Digests> {
  const known = knownDigests(batch);
  const digests = known ?? (await digestItemsOf(deps.database, batch));
  if (known === undefined) await rememberDigests(deps.database, batch, digests);
  return digestsOf(batch, plan, digests);
}

export function digestsOf(batch: BatchRecord, plan: BatchPlan, { items, content }: ItemDigests): Digests {
  const { amountMinor, feeMinor, vatMinor, stampDutyMinor, rules } = plan;
  const costs = [amountMinor, feeMinor, vatMinor, stampDutyMinor].map(String);
  return { shown: hash('sha256', JSON.stringify([items, batch.purpose, ...costs, ...rules]), 'hex'), content };
}

/** As the row remembers them, unless the items have changed since. */
export function knownDigests({ items_digest, content_digest, digest_version, version }: BatchRecord) {
  if (digest_version !== version || items_digest === null || content_digest === null) return undefined;
  return { items: items_digest, content: content_digest };
}

export async function digestItemsOf(queries: Queries, { merchant_id, mode, id }: BatchRecord): Promise<ItemDigests> {
  const [digests] = await queries.query(digestItems, [merchant_id, mode, id]);
  if (digests === undefined) throw new Error(`no digest of batch ${id}`);
  return digests;
}

/** For whoever asks next, unless the batch has changed since. */
export async function rememberDigests(
  queries: Queries,
  { merchant_id, mode, id, version }: BatchRecord,
  { items, content }: ItemDigests,
): Promise<void> {
  await queries.query(updateBatchDigests, [merchant_id, mode, id, version, items, content]);
}
