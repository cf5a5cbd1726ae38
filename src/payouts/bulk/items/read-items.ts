import type { Database } from '../../../platform/db/database.ts';
import type { ListRequest } from '../../../platform/lists/list.ts';
import { listView, readList } from '../../../platform/lists/read-list.ts';
import type { Tenant } from '../../../platform/tenant.ts';
import { itemNotFound } from '../errors.ts';
import { requireBatch } from '../read-batches.ts';
import { itemView } from '../views.ts';
import { findListedItem, type ItemFilter, itemList } from './queries.ts';

/**
 * Items in the order in which they were given.
 * @throws AppError `BATCH_NOT_FOUND`; 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readItems(
  database: Database,
  tenant: Tenant,
  { batchReference, ...filter }: ItemFilter & { batchReference: string },
  request: ListRequest,
) {
  return database.snapshot(async (queries) => {
    const batch = await requireBatch(queries, tenant, batchReference);
    const found = await readList(queries, itemList(batch, filter), request);
    return listView(found, (row) => itemView(batch, row));
  });
}

/** One item, as the list has it. @throws AppError `BATCH_NOT_FOUND`, `BATCH_ITEM_NOT_FOUND` */
export function readItem(
  database: Database,
  tenant: Tenant,
  { batchReference, itemId }: { batchReference: string; itemId: string },
) {
  return database.snapshot(async (queries) => {
    const batch = await requireBatch(queries, tenant, batchReference);
    const [row] = await queries.query(findListedItem, [tenant.merchantId, tenant.mode, batch.id, itemId]);
    if (row === undefined) throw itemNotFound();
    return itemView(batch, row);
  });
}
