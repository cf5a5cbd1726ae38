import { hash } from 'node:crypto';
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

/**
 * Fingerprints of a batch at its version. The items are read once a version and remembered in its row; charges are added
 * each time, because a batch that has not changed may cost something else tomorrow.
 */
export async function digestBatch(deps: PayoutDeps, batch: BatchRecord, plan: BatchPlan): Promise<Digests> {
  const { items, content } = await itemDigests(deps, batch);
  const { amountMinor, feeMinor, vatMinor, stampDutyMinor, rules } = plan;
  const costs = [amountMinor, feeMinor, vatMinor, stampDutyMinor].map(String);
  return { shown: hash('sha256', JSON.stringify([items, batch.purpose, ...costs, ...rules]), 'hex'), content };
}

async function itemDigests(deps: PayoutDeps, batch: BatchRecord): Promise<{ items: string; content: string }> {
  const { items_digest, content_digest } = batch;
  if (batch.digest_version === batch.version && items_digest !== null && content_digest !== null) {
    return { items: items_digest, content: content_digest };
  }
  const key = [batch.merchant_id, batch.mode, batch.id];
  const [digests] = await deps.database.query(digestItems, key);
  if (digests === undefined) throw new Error(`no digest of batch ${batch.id}`);
  await deps.database.query(updateBatchDigests, [...key, batch.version, digests.items, digests.content]);
  return digests;
}
