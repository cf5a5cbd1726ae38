import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/clock.ts';
import { type Database, isValueFault } from '../platform/db/database.ts';
import { rowsFor } from '../platform/db/statement.ts';
import { firstIdOf, newId } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { removeInPieces } from '../platform/jobs/pieces.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { CallResult } from './connection.ts';
import {
  type AttemptKind,
  type AttemptRow,
  type DeliveryRow,
  type DeliveryStatus,
  type DueDelivery,
  deleteOldDeliveries,
  insertAttempts,
  insertDeliveries,
  type RepeatedDelivery,
  updateDeliveriesRepeated,
} from './delivery-queries.ts';
import { type EndpointRow, lockLeasedEndpoint, updateEndpointServed } from './queries.ts';
import type { DeliveredEvent } from './signing.ts';

/** The part of a delivery that a call can change. */
interface DeliveryState {
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/** The state of a delivery before its first call. */
export const UNDELIVERED: DeliveryState = { status: 'PENDING', attempts: 0, nextAttemptAt: null, deliveredAt: null };

/**
 * A delivery after a call that ended at `endedAt`. A replay that fails leaves the delivery and its schedule as they
 * were. One that succeeds ends the schedule.
 */
export function afterCall(
  before: DeliveryState,
  kind: AttemptKind,
  { error }: Pick<CallResult, 'error'>,
  endedAt: Date,
  random?: () => number,
): DeliveryState {
  const attempts = before.attempts + (kind === 'SCHEDULED' ? 1 : 0);
  if (error === null) {
    return { status: 'DELIVERED', attempts, nextAttemptAt: null, deliveredAt: before.deliveredAt ?? endedAt };
  }
  if (kind === 'REPLAY') return before;
  const delayMs = retryDelayMs(attempts, random);
  if (delayMs === undefined) return { status: 'FAILED', attempts, nextAttemptAt: null, deliveredAt: null };
  return { status: 'PENDING', attempts, nextAttemptAt: new Date(endedAt.getTime() + delayMs), deliveredAt: null };
}

/**
 * Between the end of one call and the next; the first one is made at once. Short enough for a restart of the receiver,
 * long enough for a weekend: the last call is made three days and some hours after the first. After Standard Webhooks.
 */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Calls for one event before it is abandoned; a replay is still possible then. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** A call is later than planned by up to this share, so that calls that failed together do not come back together. */
const JITTER = 0.1;

/**
 * How long to wait after this many failed calls, in milliseconds. Undefined when that was the last one.
 * @param random from 0 to 1
 */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number | undefined {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + JITTER * random()));
}

/** Failures in a row after which an endpoint counts as down. */
export const FAILURES_TO_PAUSE = 5;
const FIRST_PAUSE_MS = SECOND_MS;
/** The longest pause: a receiver that is back gets its first event after at most this. */
const MAX_PAUSE_MS = MINUTE_MS;

/**
 * How long to leave an endpoint alone that failed so often in a row, in milliseconds; 0 is not at all. After the pause,
 * one call finds out whether it is back.
 */
export function pauseMs(failuresInARow: number): number {
  const beyond = failuresInARow - FAILURES_TO_PAUSE;
  if (beyond < 0) return 0;
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(beyond, 10));
}

/**
 * How long a worker keeps an endpoint without a sign of life: the time limit of a call and a little more. Events wait
 * this long when a worker is killed.
 */
export const LEASE_MS = 30_000;

/** The job whose failures are calls that could not be recorded. Those calls are not repeated at once. */
export const UNRECORDED = 'webhooks.record';

/** A call that was made and is not yet in the log. */
export interface MadeCall {
  event: DeliveredEvent;
  /** The delivery before this call. Undefined for the first call. */
  delivery: DueDelivery | undefined;
  kind: AttemptKind;
  startedAt: Date;
  result: CallResult;
  after: DeliveryState;
}

interface Served {
  leaseId: string;
  /** The endpoint that was called. */
  endpointId: string;
  calls: readonly MadeCall[];
  /** How far the endpoint was served, where the calls do not show it. */
  upTo?: bigint;
  /** How many calls in a row failed, up to the last of these. */
  failures: number;
}

interface RecordDeps {
  database: Database;
  clock: Clock;
  jobs: JobMonitor;
}

/**
 * Writes calls, the outcomes of their deliveries and the place that the endpoint has reached, and renews the lease.
 * Calls that a worker could not write are made again under the same ids. A call whose content the database refuses is
 * left out, so that the endpoint goes on behind it.
 * @returns the endpoint as it is now, which may have another address; undefined when another worker has leased it,
 *   and nothing was written.
 */
export async function recordCalls(deps: RecordDeps, tenant: Tenant, served: Served): Promise<EndpointRow | undefined> {
  try {
    return await recordTogether(deps, tenant, served);
  } catch (error) {
    if (!isValueFault(error)) throw error;
  }
  let endpoint: EndpointRow | undefined;
  for (const call of served.calls) endpoint = await recordOne(deps, tenant, served, call);
  return endpoint;
}

async function recordOne(
  deps: RecordDeps,
  tenant: Tenant,
  served: Served,
  call: MadeCall,
): Promise<EndpointRow | undefined> {
  try {
    return await recordTogether(deps, tenant, { ...served, calls: [call] });
  } catch (error) {
    if (!isValueFault(error)) throw error;
    const about = { message: 'a call of a webhook endpoint could not be recorded', ...tenant, eventId: call.event.id };
    deps.jobs.failuresOf(UNRECORDED).failed(call.event.id, error, about);
    const upTo = call.delivery === undefined ? call.event.sequence : 0n;
    return recordTogether(deps, tenant, { ...served, calls: [], upTo });
  }
}

/** Does it all in one transaction. */
async function recordTogether(deps: RecordDeps, tenant: Tenant, served: Served): Promise<EndpointRow | undefined> {
  const { merchantId, mode } = tenant;
  const now = deps.clock.now();
  const rows = rowsOf(tenant, served.calls);
  const lastCall = served.calls.findLast(({ delivery }) => delivery === undefined);
  const lastDelivered = lastCall?.event.sequence ?? served.upTo ?? 0n;
  return deps.database.transaction(async (tx) => {
    const [endpoint] = await tx.query(lockLeasedEndpoint, [merchantId, mode, served.leaseId]);
    if (endpoint === undefined) return undefined;
    void tx.run(...rowsFor(insertDeliveries, rows.deliveries));
    void tx.run(...rowsFor(updateDeliveriesRepeated, rows.repeated));
    void tx.run(...rowsFor(insertAttempts, rows.attempts));
    // Failures of one address do not count against the next.
    const failures = endpoint.id === served.endpointId ? served.failures : 0;
    const pausedMs = pauseMs(failures);
    const [updated] = await tx.query(updateEndpointServed, [
      merchantId,
      mode,
      endpoint.cursor_sequence > lastDelivered ? endpoint.cursor_sequence : lastDelivered,
      failures,
      pausedMs === 0 ? null : new Date(now.getTime() + pausedMs),
      new Date(now.getTime() + LEASE_MS),
    ]);
    return updated;
  });
}

function rowsOf({ merchantId, mode }: Tenant, calls: readonly MadeCall[]) {
  const scope = { merchant_id: merchantId, mode };
  const deliveries: DeliveryRow[] = [];
  const repeated: RepeatedDelivery[] = [];
  const attempts: AttemptRow[] = [];
  for (const { event, delivery, kind, startedAt, result, after } of calls) {
    const attempt: AttemptRow = {
      ...scope,
      delivery_id: event.id,
      id: newId(),
      kind,
      started_at: startedAt,
      duration_ms: result.durationMs,
      status_code: result.statusCode,
      answer: result.answer,
      error: result.error,
    };
    attempts.push(attempt);
    const state = {
      ...scope,
      id: event.id,
      status: after.status,
      attempts: after.attempts,
      next_attempt_at: after.nextAttemptAt,
      last_attempt_id: attempt.id,
      delivered_at: after.deliveredAt,
    };
    if (delivery !== undefined) {
      repeated.push({ ...state, replay_seen: delivery.replay_at });
    } else {
      const { sequence, type, created_at } = event;
      deliveries.push({ ...state, sequence, type, created_at });
    }
  }
  return { deliveries, repeated, attempts };
}

/**
 * Removes deliveries of events from before a moment that have ended, with all their calls. A delivery that is still
 * tried or was asked for again stays while there is an address.
 * @returns how many are gone.
 */
export function forgetDeliveries({ database }: { database: Database }, before: Date): Promise<number> {
  const first = firstIdOf(before);
  return removeInPieces(async (atMost) => {
    const [deleted] = await database.query(deleteOldDeliveries, [first, atMost]);
    return deleted?.gone ?? 0;
  });
}
