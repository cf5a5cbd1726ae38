import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { countOutcomes } from './outcome-queries.ts';
import { outcomeView } from './outcome-views.ts';
import { MANY_ITEMS, requireBatch } from './read-batches.ts';

/**
 * What a dispatched batch has done: how many of its items were paid, failed, were returned, are on their way or were left
 * out, and what really left the wallet. All of one moment, also while it is going on; before the dispatch all is zero.
 * @throws AppError `BATCH_NOT_FOUND`
 */
export async function readOutcome(database: Database, tenant: Tenant, batchReference: string) {
  const { item_count } = await requireBatch(database, tenant, batchReference);
  const read = async (queries: Queries) => {
    const batch = await requireBatch(queries, tenant, batchReference);
    const key = [batch.merchant_id, batch.mode, batch.id];
    return { batch, rows: batch.dispatched_at === null ? [] : await queries.query(countOutcomes, key) };
  };
  const { batch, rows } = await database.snapshot(read, { aside: item_count > MANY_ITEMS });
  return outcomeView(batch, rows);
}
