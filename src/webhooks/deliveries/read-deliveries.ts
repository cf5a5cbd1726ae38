import { findEvents } from '../../ledger/index.ts';
import type { Database, Queries } from '../../platform/db/database.ts';
import type { ListRequest } from '../../platform/lists/list.ts';
import { listView, readList } from '../../platform/lists/read-list.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { deliveryNotFound } from '../errors.ts';
import { payloadOf } from '../sending/payload.ts';
import { attemptsView, deliveryView } from '../views.ts';
import { type DeliveryFilter, type DeliveryRecord, deliveryList, findDelivery, listAttempts } from './queries.ts';

/** Ten of the schedule, and more replays than anybody reads. */
const MAX_ATTEMPTS_SHOWN = 200;

/** Deliveries, newest event first, each with its last answer. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readDeliveries(queries: Queries, tenant: Tenant, filter: DeliveryFilter, request: ListRequest) {
  const found = await readList(queries, deliveryList(tenant, filter), request);
  return listView(found, (row) => deliveryView(row, tenant.mode));
}

/** @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND` */
export async function requireDelivery(queries: Queries, tenant: Tenant, id: string): Promise<DeliveryRecord> {
  const [row] = await queries.query(findDelivery, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw deliveryNotFound();
  return row;
}

/** One delivery with what is sent and every call that was made until then. @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND` */
export async function readDelivery(database: Database, tenant: Tenant, id: string) {
  const { row, attempts, event } = await database.snapshot(async (queries) => {
    const delivery = await requireDelivery(queries, tenant, id);
    const [calls, [told]] = await Promise.all([
      queries.query(listAttempts, [tenant.merchantId, tenant.mode, id, MAX_ATTEMPTS_SHOWN]),
      findEvents(queries, tenant, [delivery.sequence]),
    ]);
    return { row: delivery, attempts: calls, event: told };
  });
  if (event === undefined) throw new Error(`the event of delivery ${id} is gone`);
  return {
    ...deliveryView(row, tenant.mode),
    event: JSON.parse(payloadOf(event, tenant.mode)) as unknown,
    attemptLog: attemptsView(attempts),
  };
}
