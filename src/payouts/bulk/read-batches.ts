import { type PayoutPurpose, quotePayout } from '../../fees/index.ts';
import { DEFAULT_CURRENCY } from '../../money/index.ts';
import type { Queries } from '../../platform/db/database.ts';
import { offsetOf, type PageRequest, pageView } from '../../platform/http/schemas.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { batchIdOf } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import type { BatchStatus } from './batch-state.ts';
import { batchNotFound } from './errors.ts';
import {
  type BatchRow,
  countBatches,
  countItems,
  countListedItems,
  findBatch,
  type ItemCounts,
  listBatches,
  listItemAmounts,
  listItems,
  sumBatchPayouts,
} from './queries.ts';
import { type BatchTotals, batchSummaryView, batchView, itemView, type PayoutCounts } from './views.ts';

/** @throws AppError `BATCH_NOT_FOUND` */
export async function requireBatch(queries: Queries, tenant: Tenant, batchReference: string): Promise<BatchRow> {
  const id = batchIdOf(batchReference);
  if (id === undefined || !isUuid(id)) throw batchNotFound();
  const [batch] = await queries.query(findBatch, [tenant.merchantId, tenant.mode, id]);
  if (batch === undefined) throw batchNotFound();
  return batch;
}

/** A page of bulk payouts, newest first. */
export async function readBatches(
  queries: Queries,
  tenant: Tenant,
  status: BatchStatus | undefined,
  page: PageRequest,
) {
  const asked = [tenant.merchantId, tenant.mode, status ?? null];
  const [[count], rows] = await Promise.all([
    queries.query(countBatches, asked),
    queries.query(listBatches, [...asked, offsetOf(page), page.size]),
  ]);
  return pageView(page, count?.total ?? 0, rows.map(batchView));
}

/** Items in the order in which they were given. */
export async function readItems(queries: Queries, batch: BatchRow, isValid: boolean | undefined, page: PageRequest) {
  const asked = [batch.merchant_id, batch.mode, batch.id, isValid ?? null];
  const [[count], rows] = await Promise.all([
    queries.query(countListedItems, asked),
    queries.query(listItems, [...asked, offsetOf(page), page.size]),
  ]);
  return pageView(page, count?.total ?? 0, rows.map(itemView));
}

/** One bulk payout with its counts and what it costs. @throws AppError `BATCH_NOT_FOUND` */
export async function readBatch(deps: PayoutDeps, tenant: Tenant, batchReference: string) {
  const batch = await requireBatch(deps.database, tenant, batchReference);
  return readSummary(deps, batch);
}

export async function readSummary(deps: PayoutDeps, batch: BatchRow) {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const [counts, paid] = await Promise.all([
    countItemsOf(deps.database, batch),
    batch.dispatched_at === null ? [] : deps.database.query(sumBatchPayouts, key),
  ]);
  const payouts: PayoutCounts = { open: 0, succeeded: 0, failed: 0, reversed: 0 };
  const totals = { ...NOTHING };
  for (const row of paid) {
    payouts[COUNTED_AS[row.status] ?? 'open'] += row.payouts;
    add(totals, row.amount_minor, row.fee_minor, row.vat_minor, row.stamp_duty_minor);
  }
  return batchSummaryView(
    batch,
    counts,
    payouts,
    batch.dispatched_at === null ? await quoteBatch(deps, batch) : totals,
  );
}

export async function countItemsOf(queries: Queries, batch: BatchRow): Promise<ItemCounts> {
  const [counts] = await queries.query(countItems, [batch.merchant_id, batch.mode, batch.id]);
  return counts ?? { total: 0, valid: 0, invalid: 0, waiting: 0 };
}

const COUNTED_AS: Record<string, keyof PayoutCounts> = { SUCCESS: 'succeeded', FAILED: 'failed', REVERSED: 'reversed' };

const NOTHING: BatchTotals = {
  amountMinor: 0n,
  feeMinor: 0n,
  vatMinor: 0n,
  stampDutyMinor: 0n,
  chargesMinor: 0n,
  totalMinor: 0n,
};

function add(totals: BatchTotals, amount: bigint, fee: bigint, vat: bigint, stampDuty: bigint): void {
  totals.amountMinor += amount;
  totals.feeMinor += fee;
  totals.vatMinor += vat;
  totals.stampDutyMinor += stampDuty;
  totals.chargesMinor += fee + vat + stampDuty;
  totals.totalMinor += amount + fee + vat + stampDuty;
}

/** What the valid items would cost now: each amount that occurs is priced once. */
async function quoteBatch(deps: PayoutDeps, batch: BatchRow): Promise<BatchTotals> {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const [rules, amounts] = await Promise.all([deps.fees.listRules(), deps.database.query(listItemAmounts, key)]);
  const at = deps.clock.now();
  const purpose: PayoutPurpose = batch.purpose;
  const totals = { ...NOTHING };
  for (const { amount_minor: amountMinor, items } of amounts) {
    const quote = quotePayout(rules, { amountMinor, currency: DEFAULT_CURRENCY, purpose, at });
    const times = BigInt(items);
    add(totals, amountMinor * times, quote.feeMinor * times, quote.vatMinor * times, quote.stampDutyMinor * times);
  }
  return totals;
}
