import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type ListRequest, sinceOf } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import { addUpList, lookThrough } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import { listTotalsView } from '../transactions/index.ts';
import { inboundPaymentNotFound } from './errors.ts';
import {
  findInboundPayment,
  type InboundFilter,
  inboundList,
  listInboundEvidence,
  looksThrough,
  sumPendingPayments,
} from './queries.ts';
import { inboundPaymentView, pendingView } from './views.ts';

export interface PaymentReadDeps {
  database: Database;
  clock: Clock;
}

/** How far back a search goes that no index answers and that names no beginning. */
const SEARCH_MS = 90 * 24 * 60 * 60 * 1000;

/** The list of a filter, with where it begins in time. */
export function paymentsFor(
  { clock }: Pick<PaymentReadDeps, 'clock'>,
  tenant: Tenant,
  filter: InboundFilter,
  request?: ListRequest,
) {
  const { from, to } = filter;
  const isBegun = from !== undefined || !looksThrough(filter);
  const beginning = isBegun ? undefined : new Date((to ?? clock.now()).getTime() - SEARCH_MS);
  return inboundList(tenant, filter, (request && sinceOf(request)) ?? beginning);
}

/**
 * A merchant's payments in, newest first unless the filter says otherwise.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`
 */
export async function readInboundPayments(
  deps: PaymentReadDeps,
  tenant: Tenant,
  filter: InboundFilter,
  request: ListRequest,
) {
  const list = paymentsFor(deps, tenant, filter, request);
  const found = looksThrough(filter)
    ? await lookThrough(deps.database, (queries) => readList(queries, list, request))
    : await readList(deps.database, list, request);
  return listView(found, inboundPaymentView);
}

/**
 * What the payments of a filter come to by status, in naira; nothing but how many where they are more than 100,000.
 * @throws AppError 422 `SEARCH_TOO_LONG`
 */
export async function addUpInboundPayments(deps: PaymentReadDeps, tenant: Tenant, filter: InboundFilter) {
  return listTotalsView(await addUpList(deps.database, paymentsFor(deps, tenant, filter), ['fee_minor', 'vat_minor']));
}

/** What came in and is not available before the provider has settled it, in naira. */
export async function readPending(database: Database, { merchantId, mode }: Tenant) {
  const [sum] = await database.query(sumPendingPayments, [merchantId, mode]);
  return pendingView(sum);
}

/** One, with the answers that confirmed it. @throws AppError `INBOUND_PAYMENT_NOT_FOUND` */
export async function readInboundPayment(database: Database, tenant: Tenant, id: string) {
  const key = [tenant.merchantId, tenant.mode, id];
  const [[row], evidence] = await Promise.all([
    database.query(findInboundPayment, key),
    database.query(listInboundEvidence, key),
  ]);
  if (row === undefined) throw inboundPaymentNotFound();
  return {
    payment: inboundPaymentView(row),
    evidence: evidence.map(({ source, outcome, code, received_at }) => ({
      source,
      outcome,
      code,
      receivedAt: received_at.toISOString(),
    })),
  };
}
