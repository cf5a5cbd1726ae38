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
import { listPayoutStates, type PayoutStateRow } from './copy-queries.ts';
import type { BatchDeps } from './deps.ts';
import { digestItemsOf, knownDigest, rememberDigest, shownDigest } from './digest-batch.ts';
import { batchNotFound, itemNotFound } from './errors.ts';
import { findListedItem, type ItemFilter, itemList, type ListedItemRow } from './item-queries.ts';
import type { Duplicates } from './problems.ts';
import { type BatchRecord, batchList, countUnknownPayouts, findBatch, waitingItems } from './queries.ts';
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
  const read = await deps.database.snapshot(async (queries) => {
    const row = await requireBatch(queries, tenant, batchReference);
    if (row.amount_minor !== null) {
      return { batch: row, plan: undefined, items: undefined, unknown: await unknownOf(queries, row) };
    }
    // While it is being validated, the counts are those that the sums were made of, though they may be a moment older.
    if (row.status === 'VALIDATING') return { ...(await deps.plans(queries, row, prices)), items: undefined };
    const digest = isOpen(row.status) ? (knownDigest(row) ?? (await digestItemsOf(queries, row))) : undefined;
    return { batch: row, plan: (await deps.plans(queries, row, prices, digest)).plan, items: digest };
  });
  const { batch, plan, items } = read;
  if (items !== undefined && knownDigest(batch) === undefined) await rememberDigest(deps.database, batch, items);
  const unknown = 'unknown' in read ? read.unknown : 0;
  const progress = progressOf(batch, unknown, now);
  const found = { items: batch.duplicate_items, amountMinor: batch.duplicate_minor };
  if (plan === undefined) {
    const totals = heldFor(batch);
    return batchSummaryView(batch, { totals, duplicates: found, unknown, progress, digest: batch.dispatched_digest });
  }
  const quoted = { totals: plan, unknown, progress };
  if (items === undefined) return batchSummaryView(batch, { ...quoted, duplicates: found, digest: null });
  // As of now, which a dispatch is held to: duplicates change by themselves, while the batch does not.
  const duplicates = await deps.repeats(batch).catch(unlessChanged(found));
  return batchSummaryView(batch, { ...quoted, duplicates, digest: shownDigest(batch, plan, items) });
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

/** Looked for while it is being paid, and not while more are on their way than a person would wait for. */
async function unknownOf(queries: Queries, batch: BatchRecord): Promise<number> {
  const { status, open_items, merchant_id, mode, id } = batch;
  if (status !== 'DISPATCHING' || open_items === 0 || open_items > MANY_ITEMS) return 0;
  const [found] = await queries.query(countUnknownPayouts, [merchant_id, mode, id]);
  return found?.unknown ?? 0;
}

/** The remaining items are expected to take as long as the others did, item by item; for an unknown outcome nobody knows. */
function progressOf(batch: BatchRecord, unknown: number, now: Date): BatchProgress {
  const { status, item_count, open_items, succeeded_items, failed_items, reversed_items } = batch;
  const ended = succeeded_items + failed_items + reversed_items;
  if (status === 'VALIDATING') {
    const done = item_count - waitingItems(batch);
    return { phase: 'VALIDATING', done, total: item_count, ...leftOf(done, item_count, batch.updated_at, now) };
  }
  const total = ended + open_items;
  if (status !== 'DISPATCHING') return { phase: null, done: ended, total, estimatedSecondsLeft: null };
  const left = open_items > unknown ? leftOf(ended, total - unknown, batch.dispatched_at ?? now, now) : NOBODY_KNOWS;
  return { phase: 'SENDING', done: ended, total, ...left };
}

const NOBODY_KNOWS = { estimatedSecondsLeft: null };

function leftOf(done: number, total: number, since: Date, now: Date): { estimatedSecondsLeft: number | null } {
  if (done === 0) return NOBODY_KNOWS;
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
    const earlier = await earlierOf(queries, batch, found.rows);
    return listView(found, (row) => itemView(batch, row, earlier(row)));
  });
}

/** Of the items of a retry list: the payouts that they pay again. */
export async function earlierOf(
  queries: Queries,
  batch: BatchRecord,
  rows: readonly Pick<ListedItemRow, 'origin_item_id'>[],
): Promise<(item: Pick<ListedItemRow, 'origin_item_id'>) => PayoutStateRow | undefined> {
  const ids = batch.origin_batch_id === null ? [] : rows.flatMap(({ origin_item_id }) => origin_item_id ?? []);
  const found = ids.length === 0 ? [] : await queries.query(listPayoutStates, [batch.merchant_id, batch.mode, ids]);
  const byId = new Map(found.map((payout) => [payout.id, payout]));
  return ({ origin_item_id }) => (origin_item_id === null ? undefined : byId.get(origin_item_id));
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
    return itemView(batch, row, (await earlierOf(queries, batch, [row]))(row));
  });
}
