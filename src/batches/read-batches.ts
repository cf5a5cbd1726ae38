import type { HeldAmounts } from '../payouts/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { isUuid } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import { readBeside, readListOf } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import { batchIdOf } from '../transactions/index.ts';
import { type BatchStatus, isOpen } from './batch-state.ts';
import type { BatchDeps } from './deps.ts';
import { digestItemsOf, knownDigest, rememberDigest, shownDigest } from './digest-batch.ts';
import { batchNotFound, itemNotFound } from './errors.ts';
import { findListedItem, type ItemFilter, itemList } from './item-queries.ts';
import type { Duplicates } from './problems.ts';
import { type BatchRecord, batchList, findBatch, waitingItems } from './queries.ts';
import { type BatchProgress, batchSummaryView, itemView, listedBatchView } from './views.ts';

/** A read that counts all items of a larger batch takes a second, and waits for the connections of such reads. */
export const MANY_ITEMS = 5_000;

/** @throws AppError `BATCH_NOT_FOUND` */
export async function requireBatch(queries: Queries, tenant: Tenant, batchReference: string): Promise<BatchRecord> {
  const id = batchIdOf(batchReference);
  if (id === undefined || !isUuid(id)) throw batchNotFound();
  const [batch] = await queries.query(findBatch, [tenant.merchantId, tenant.mode, id]);
  if (batch === undefined) throw batchNotFound();
  return batch;
}

/**
 * Bulk payouts, newest first.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readBatches(
  database: Pick<Database, 'reading'>,
  tenant: Tenant,
  status: BatchStatus | undefined,
  request: ListRequest,
) {
  const asked = { list: batchList(tenant, status) };
  return listView(await readListOf(database, tenant.merchantId, asked, request), listedBatchView);
}

/**
 * One bulk payout with its counts, its costs and its progress, read at one moment. The items are read once for each
 * version, for the quote and the digest.
 * @throws AppError `BATCH_NOT_FOUND`
 */
export async function readBatch(deps: BatchDeps, tenant: Tenant, batchReference: string) {
  const now = deps.clock.now();
  const prices = { rules: await deps.fees.listRules(), at: now };
  const { batch, plan, items } = await deps.database.snapshot(async (queries) => {
    const row = await requireBatch(queries, tenant, batchReference);
    if (row.amount_minor !== null) return { batch: row, plan: undefined, items: undefined };
    // While it is being validated, the counts are those that the sums were made of, though they may be a moment older.
    if (row.status === 'VALIDATING') return { ...(await deps.plans(queries, row, prices)), items: undefined };
    const digest = isOpen(row.status) ? (knownDigest(row) ?? (await digestItemsOf(queries, row))) : undefined;
    return { batch: row, plan: (await deps.plans(queries, row, prices, digest)).plan, items: digest };
  });
  if (items !== undefined && knownDigest(batch) === undefined) await rememberDigest(deps.database, batch, items);
  const progress = progressOf(batch, now);
  const found = { items: batch.duplicate_items, amountMinor: batch.duplicate_minor };
  if (plan === undefined) {
    const totals = heldFor(batch);
    return batchSummaryView(batch, { totals, duplicates: found, progress, digest: batch.dispatched_digest });
  }
  if (items === undefined) return batchSummaryView(batch, { totals: plan, duplicates: found, progress, digest: null });
  // As of now, which a dispatch is held to: duplicates change by themselves, while the batch does not.
  const duplicates = await deps.repeats(batch).catch(unlessChanged(found));
  return batchSummaryView(batch, { totals: plan, duplicates, progress, digest: shownDigest(batch, plan, items) });
}

/** For a batch that changes at this moment, the repeats that were found last: its author gets more. */
const unlessChanged = (found: Duplicates) => (error: unknown) => {
  if (error instanceof AppError && error.code === 'BATCH_CHANGED') return found;
  throw error;
};

/** What its dispatch held. */
function heldFor({ amount_minor, fee_minor, vat_minor, stamp_duty_minor }: BatchRecord): HeldAmounts {
  return {
    amountMinor: amount_minor ?? 0n,
    feeMinor: fee_minor ?? 0n,
    vatMinor: vat_minor ?? 0n,
    stampDutyMinor: stamp_duty_minor ?? 0n,
  };
}

/** The remaining items are expected to take as long as the others did, item by item. */
function progressOf(batch: BatchRecord, now: Date): BatchProgress {
  const { status, item_count, open_items, succeeded_items, failed_items, reversed_items } = batch;
  const ended = succeeded_items + failed_items + reversed_items;
  if (status === 'VALIDATING') {
    const done = item_count - waitingItems(batch);
    return { phase: 'VALIDATING', done, total: item_count, ...leftOf(done, item_count, batch.updated_at, now) };
  }
  const total = ended + open_items;
  if (status !== 'DISPATCHING') return { phase: null, done: ended, total, estimatedSecondsLeft: null };
  return { phase: 'SENDING', done: ended, total, ...leftOf(ended, total, batch.dispatched_at ?? now, now) };
}

function leftOf(done: number, total: number, since: Date, now: Date): { estimatedSecondsLeft: number | null } {
  if (done === 0) return { estimatedSecondsLeft: null };
  const elapsedMs = Math.max(0, now.getTime() - since.getTime());
  return { estimatedSecondsLeft: Math.ceil((elapsedMs / done) * (total - done) * 0.001) };
}

/**
 * Items in their order. No index leads to those of a filter: in a large batch they are searched for in the turns of the
 * merchant's searches.
 * @throws AppError `BATCH_NOT_FOUND`; 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`; 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readItems(
  database: Database,
  tenant: Tenant,
  { batchReference, ...filter }: ItemFilter & { batchReference: string },
  request: ListRequest,
) {
  const { byMatch, ...conditions } = filter;
  const isFiltered = byMatch === true || Object.values(conditions).some((wanted) => wanted !== undefined);
  const isLong = isFiltered && (await requireBatch(database.reading, tenant, batchReference)).item_count > MANY_ITEMS;
  return readBeside(database, tenant.merchantId, { request, isLong }, async (queries) => {
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
