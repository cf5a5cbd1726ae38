import { findEvents } from '../ledger/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { countList, type FoundList, listView, readList } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  countDueBefore,
  type DeliveryFilter,
  type DeliveryRecord,
  deliveryList,
  type FailingEndpointRow,
  failingList,
  findDelivery,
  listAttempts,
  updateDeliveryReplayed,
  updateEndpointReplaying,
} from './delivery-queries.ts';
import { deliveryNotFound, endpointDisabled, endpointMissing } from './errors.ts';
import { findEndpoint } from './queries.ts';
import { payloadOf } from './signing.ts';
import { attemptsView, deliveryView } from './views.ts';

/** The schedule makes ten calls. The rest is room for more replays than anybody reads. */
const MAX_ATTEMPTS_SHOWN = 200;
/** Counting stops here: a larger number tells a reader nothing more. */
const MAX_AHEAD = 1_000;

interface ReadDeps {
  database: Database;
  clock: Clock;
}

/**
 * Deliveries, newest event first, each with its last answer.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readDeliveries(deps: ReadDeps, tenant: Tenant, filter: DeliveryFilter, request: ListRequest) {
  const [found, [endpoint]] = await Promise.all([
    readListOf(deps.database, tenant.merchantId, { list: deliveryList(tenant, filter) }, request),
    deps.database.query(findEndpoint, [tenant.merchantId, tenant.mode]),
  ]);
  const now = deps.clock.now();
  return listView(found, (row) => deliveryView(row, tenant.mode, { endpoint, now }));
}

/** @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND` */
async function requireDelivery(queries: Queries, tenant: Tenant, id: string): Promise<DeliveryRecord> {
  const [row] = await queries.query(findDelivery, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw deliveryNotFound();
  return row;
}

/** One delivery with what is sent and every call that was made until then. @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND` */
export async function readDelivery({ database, clock }: ReadDeps, tenant: Tenant, id: string) {
  const now = clock.now();
  const { row, attempts, event, endpoint, ahead } = await database.snapshot(async (queries) => {
    const delivery = await requireDelivery(queries, tenant, id);
    const { merchantId, mode } = tenant;
    // A replay that somebody asked for goes before calls of the schedule.
    const planned = delivery.replay_at === null ? delivery.next_attempt_at : null;
    const [calls, [stored], [found], [due]] = await Promise.all([
      queries.query(listAttempts, [merchantId, mode, id, MAX_ATTEMPTS_SHOWN]),
      findEvents(queries, tenant, [delivery.sequence]),
      queries.query(findEndpoint, [merchantId, mode]),
      queries.query(countDueBefore, [merchantId, mode, planned, now, MAX_AHEAD]),
    ]);
    return { row: delivery, attempts: calls, event: stored, endpoint: found, ahead: due?.deliveries ?? 0 };
  });
  if (event === undefined) throw new Error(`the event of delivery ${id} is gone`);
  return {
    ...deliveryView(row, tenant.mode, { endpoint, now }),
    ahead,
    event: JSON.parse(payloadOf(event, tenant.mode)) as unknown,
    attemptLog: attemptsView(attempts),
  };
}

export interface ReplayDeps {
  database: Database;
  clock: Clock;
  /** Wakes the worker of this process. Called after the commit. */
  wakeWebhooks?: () => void;
}

/**
 * Sends a delivery again as soon as a worker gets to it, with the same id and the same bytes, whatever its state. The
 * schedule goes on as it was, unless the receiver takes the delivery now. A replay is no movement: nothing of the
 * merchant's changes, and an event about it would be one more to send.
 * @throws AppError `WEBHOOK_DELIVERY_NOT_FOUND`, `WEBHOOK_ENDPOINT_MISSING`, `WEBHOOK_ENDPOINT_DISABLED`
 */
export async function replayDelivery(deps: ReplayDeps, tenant: Tenant, id: string): Promise<Answer> {
  const { merchantId, mode } = tenant;
  const delivery = await requireDelivery(deps.database, tenant, id);
  const [endpoint] = await deps.database.query(findEndpoint, [merchantId, mode]);
  if (endpoint === undefined || endpoint.url === '') throw endpointMissing();
  if (endpoint.status === 'DISABLED') throw endpointDisabled();
  const now = deps.clock.now();
  await deps.database.transaction(async (tx) => {
    await tx.query(updateEndpointReplaying, [merchantId, mode, now]);
    await tx.query(updateDeliveryReplayed, [merchantId, mode, id, now]);
  });
  deps.wakeWebhooks?.();
  const called = { ...endpoint, paused_until: null };
  return success(
    'Delivery is being sent again',
    deliveryView({ ...delivery, replay_at: now }, mode, { endpoint: called, now }),
  );
}

/**
 * Webhook addresses of all merchants that need a person's attention, the longest waiting first.
 * @throws AppError 400 `CURSOR_INVALID`
 */
export const readFailingEndpoints = (queries: Queries, request: ListRequest): Promise<FoundList<FailingEndpointRow>> =>
  readList(queries, failingList, request);

export const countFailing = (queries: Queries): Promise<number> => countList(queries, failingList);
