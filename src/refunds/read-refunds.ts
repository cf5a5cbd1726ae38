import { type InboundPaymentRow, type PaymentRefunds, readTakenBack } from '../collections/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ExportFile, exportList } from '../platform/exports.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { List, ListOrder, ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import { chosenColumns } from '../platform/spreadsheet/write-csv.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { TimeOrder } from '../transactions/index.ts';
import { refundNotFound } from './errors.ts';
import {
  findRefund,
  listRefundAttempts,
  REFUND,
  type RefundCause,
  type RefundRow,
  type RefundStatus,
  type RefundWay,
  sumRefundsOfPayment,
} from './queries.ts';
import type { ToRefundRow, ToRefundStatus } from './rule-queries.ts';
import { paymentRefundsView, paymentToRefundView, REFUND_COLUMNS, refundAttemptView, refundView } from './views.ts';

/** All given conditions must hold. */
export interface RefundFilter {
  statuses?: readonly RefundStatus[] | undefined;
  way?: RefundWay | undefined;
  cause?: RefundCause | undefined;
  paymentId?: string | undefined;
  reference?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  order?: TimeOrder | undefined;
}

const NEWEST: ListOrder<RefundRow> = { direction: 'desc', keys: [{ sql: 'r.id', type: 'uuid', of: ({ id }) => id }] };

/** Refunds sort by time as their ids do. Our own words may stand in the text. */
function refundList({ merchantId, mode }: Tenant, filter: RefundFilter): List<RefundRow> {
  const { order: wanted, ...asked } = filter;
  const { statuses, way, cause, paymentId, reference, from, to } = asked;
  const values: unknown[] = [merchantId, mode];
  const where = ['r.merchant_id = $1', 'r.mode = $2'];
  const place = (value: unknown) => `$${values.push(value)}`;
  if (statuses !== undefined) where.push(`r.status in (${statuses.map((status) => `'${status}'`).join(', ')})`);
  if (way !== undefined) where.push(`r.way = '${way}'`);
  if (cause !== undefined) where.push(`r.cause = '${cause}'`);
  if (paymentId !== undefined) where.push(`r.payment_id = ${place(paymentId)}`);
  if (reference !== undefined) where.push(`r.client_reference = ${place(reference)}`);
  if (from !== undefined) where.push(`r.id >= ${place(firstIdOf(from))}`);
  if (to !== undefined) where.push(`r.id < ${place(firstIdOf(to))}`);
  return {
    name: 'refunds',
    of: [merchantId, mode, asked, ...(wanted === 'OLDEST' ? [wanted] : [])],
    order: wanted === 'OLDEST' ? { ...NEWEST, direction: 'asc' } : NEWEST,
    columns: REFUND,
    from: 'refunds r',
    where,
    values,
    isFleeting: true,
  };
}

/** Whether all refunds are looked through: an index leads to those of a payment, and to those of a period. */
const looksThrough = ({ statuses, way, cause, reference, paymentId }: RefundFilter): boolean =>
  (statuses ?? way ?? cause ?? reference) !== undefined && paymentId === undefined;

/**
 * A merchant's refunds, newest first unless the filter says otherwise.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readRefunds(database: Database, tenant: Tenant, filter: RefundFilter, request: ListRequest) {
  const asked = { list: refundList(tenant, filter), isLong: looksThrough(filter) };
  return listView(await readListOf(database, tenant.merchantId, asked, request), refundView);
}

/** One refund, with what was asked and answered about it. @throws AppError 404 `REFUND_NOT_FOUND` */
export async function readRefund(database: Database, { merchantId, mode }: Tenant, id: string) {
  const key = [merchantId, mode, id];
  const [[row], attempts] = await Promise.all([
    database.query(findRefund, key),
    database.query(listRefundAttempts, key),
  ]);
  if (row === undefined) throw refundNotFound();
  return { refund: refundView(row), evidence: attempts.map(refundAttemptView) };
}

/**
 * A merchant's refunds as CSV, in the order of the list, amounts in naira.
 * @throws AppError `VALIDATION_FAILED`, 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export async function exportRefunds(
  database: Database,
  tenant: Tenant,
  filter: RefundFilter,
  { columns, gone }: { columns?: string | undefined; gone: AbortSignal },
): Promise<ExportFile> {
  const chosen = chosenColumns(REFUND_COLUMNS, columns);
  const list = refundList(tenant, filter);
  return exportList(database, tenant.merchantId, { list, columns: chosen, shownOf: (rows) => rows }, gone);
}

/** What of a payment went back, is on its way and may still be refunded: for the page of the payment. */
export async function readRefundsOfPayment(queries: Queries, payment: InboundPaymentRow): Promise<PaymentRefunds> {
  const key = [payment.merchant_id, payment.mode, payment.id];
  const [[sums], takenBackMinor] = await Promise.all([
    queries.query(sumRefundsOfPayment, key),
    readTakenBack(queries, payment),
  ]);
  const sum = sums ?? { refunded_minor: 0n, pending_minor: 0n };
  return paymentRefundsView(payment, sum, takenBackMinor);
}

/**
 * Payments to refund by a merchant's rule, newest first. No index leads to all of a state.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readPaymentsToRefund(
  database: Database,
  { merchantId, mode }: Tenant,
  statuses: readonly ToRefundStatus[] | undefined,
  request: ListRequest,
) {
  const where = ['p.merchant_id = $1', 'p.mode = $2'];
  if (statuses !== undefined) where.push(`p.status in (${statuses.map((status) => `'${status}'`).join(', ')})`);
  const list: List<ToRefundRow> = {
    name: 'payments to refund',
    of: [merchantId, mode, { statuses }],
    order: { direction: 'desc', keys: [{ sql: 'p.id', type: 'uuid', of: ({ id }) => id }] },
    columns: 'p.*',
    from: 'payments_to_refund p',
    where,
    values: [merchantId, mode],
  };
  const asked = { list, isLong: statuses !== undefined };
  return listView(await readListOf(database, merchantId, asked, request), paymentToRefundView);
}
