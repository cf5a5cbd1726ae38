import type { Database } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { inboundPaymentNotFound } from './errors.ts';
import {
  findInboundPayment,
  type InboundFilter,
  inboundList,
  listInboundEvidence,
  sumPendingPayments,
} from './queries.ts';
import { inboundPaymentView, pendingView } from './views.ts';

/** A merchant's payments in, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readInboundPayments(
  database: Database,
  tenant: Tenant,
  filter: InboundFilter,
  request: ListRequest,
) {
  return listView(await readList(database, inboundList(tenant, filter), request), inboundPaymentView);
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
