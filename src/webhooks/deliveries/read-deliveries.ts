import { findEvents } from '../../ledger/index.ts';
import type { Database } from '../../platform/db/database.ts';
import { countedPageView, MAX_COUNTED } from '../../platform/http/counted-page.ts';
import { offsetOf, type PageRequest } from '../../platform/http/schemas.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { deliveryNotFound } from '../errors.ts';
import { payloadOf } from '../sending/payload.ts';
import { attemptsView, deliveryView } from '../views.ts';
import {
  countDeliveries,
  type DeliveryFilter,
  type DeliveryRecord,
  findDelivery,
  listAttempts,
  listDeliveries,
} from './queries.ts';

/** Ten of the schedule, and more replays than anybody reads. */
const MAX_ATTEMPTS_SHOWN = 200;

/** A page of deliveries, newest event first, each with its last answer. */
export async function readDeliveries(database: Database, tenant: Tenant, filter: DeliveryFilter, page: PageRequest) {
  const count = countDeliveries(tenant, filter, MAX_COUNTED + 1);
  const list = listDeliveries(tenant, filter, offsetOf(page), page.size + 1);
  const [[counted], rows] = await Promise.all([
    database.query(count.statement, count.values),
    database.query(list.statement, list.values),
  ]);
  const records = rows.map((row) => deliveryView(row, tenant.mode));
  return countedPageView(page, counted?.total ?? 0, records);
}

/** @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND` */
export async function requireDelivery(database: Database, tenant: Tenant, id: string): Promise<DeliveryRecord> {
  const [row] = await database.query(findDelivery, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw deliveryNotFound();
  return row;
}

/** One delivery with what is sent and every call that was made. @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND` */
export async function readDelivery(database: Database, tenant: Tenant, id: string) {
  const row = await requireDelivery(database, tenant, id);
  const [attempts, [event]] = await Promise.all([
    database.query(listAttempts, [tenant.merchantId, tenant.mode, id, MAX_ATTEMPTS_SHOWN]),
    findEvents(database, tenant, [row.sequence]),
  ]);
  if (event === undefined) throw new Error(`the event of delivery ${id} is gone`);
  return {
    ...deliveryView(row, tenant.mode),
    event: JSON.parse(payloadOf(event, tenant.mode)) as unknown,
    attemptLog: attemptsView(attempts),
  };
}
