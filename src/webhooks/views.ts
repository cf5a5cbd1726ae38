import type { Mode } from '../platform/tenant.ts';
import type { CallResult } from './connection.ts';
import { type AttemptRow, type DeliveryRecord, type DeliveryStatus, isDeliveryEnded } from './delivery-queries.ts';
import type { EndpointRow } from './queries.ts';
import type { ValidSecret } from './signing.ts';

/**
 * What the next call of a delivery waits for. `TIME`: its time in the schedule. `TURN`: it is due. `PAUSE`: the pause
 * of a failing address has to end. `ENABLE`: the merchant has to enable the address. `ADDRESS`: there is none.
 */
export const WAITS_FOR = ['TIME', 'TURN', 'PAUSE', 'ENABLE', 'ADDRESS'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

export interface NextAttempt {
  /** No call is made before this time. Null where none will come by itself. */
  at: Date | null;
  /** Null where no call is planned. */
  waitsFor: WaitsFor | null;
}

const NONE: NextAttempt = { at: null, waitsFor: null };

/** Undefined where there never was an address. */
type EndpointNow = Pick<EndpointRow, 'url' | 'status' | 'paused_until'> | undefined;

interface Planned {
  status: DeliveryStatus;
  next_attempt_at: Date | null;
  replay_at: Date | null;
}

/**
 * When the worker will call a delivery next. The time in its row is only the earliest: an address that fails is left
 * alone for a while, and one that is disabled or taken away is not called at all. A delivery that is due is called as
 * soon as a worker gets to it, one call after the other.
 */
function nextAttemptOf(delivery: Planned, endpoint: EndpointNow, now: Date): NextAttempt {
  const planned = earliest(delivery.next_attempt_at, delivery.replay_at);
  return planned === null ? NONE : nextCall(planned, endpoint, now);
}

/** The next call of an address: the next event that was not sent yet, or the delivery that is due first. */
function nextCallOf(
  endpoint: Pick<EndpointRow, 'url' | 'status' | 'paused_until' | 'retry_at'>,
  isBehind: boolean,
  now: Date,
): NextAttempt {
  const planned = isBehind ? now : endpoint.retry_at;
  return planned === null ? NONE : nextCall(planned, endpoint, now);
}

function nextCall(planned: Date, endpoint: EndpointNow, now: Date): NextAttempt {
  if (endpoint === undefined || endpoint.url === '') return { at: null, waitsFor: 'ADDRESS' };
  if (endpoint.status === 'DISABLED') return { at: null, waitsFor: 'ENABLE' };
  const { paused_until: pausedUntil } = endpoint;
  if (pausedUntil !== null && pausedUntil > now && pausedUntil > planned) return { at: pausedUntil, waitsFor: 'PAUSE' };
  return planned > now ? { at: planned, waitsFor: 'TIME' } : { at: now, waitsFor: 'TURN' };
}

function earliest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Undefined where no address was ever set. */
export function endpointView(
  endpoint: Omit<EndpointRow, 'merchant_id' | 'mode' | 'id'>,
  lastSequence: bigint,
  now: Date,
) {
  const isSet = endpoint.url !== '';
  const behind = lastSequence - endpoint.cursor_sequence;
  const next = nextCallOf(endpoint, behind > 0n, now);
  return {
    url: endpoint.url,
    status: isSet ? endpoint.status : 'NONE',
    reason: isSet ? endpoint.reason : null,
    sentSequence: Number(endpoint.cursor_sequence),
    lastSequence: Number(lastSequence),
    behind: isSet && behind > 0n ? Number(behind) : 0,
    failuresInARow: endpoint.failures_in_a_row,
    pausedUntil: endpoint.paused_until?.toISOString() ?? null,
    nextCallAt: next.at?.toISOString() ?? null,
    waitsFor: next.waitsFor,
    ordered: endpoint.ordered,
  };
}

export function noEndpointView(lastSequence: bigint, now: Date) {
  const nothing = { url: '', status: 'ENABLED' as const, reason: null, failures_in_a_row: 0 };
  const row = { ...nothing, paused_until: null, retry_at: null, cursor_sequence: lastSequence, ordered: true };
  return endpointView(row, lastSequence, now);
}

export function deliveryView(row: DeliveryRecord, mode: Mode, { endpoint, now }: { endpoint: EndpointNow; now: Date }) {
  const next = nextAttemptOf(row, endpoint, now);
  return {
    id: row.id,
    eventId: row.id,
    type: row.type,
    sequence: Number(row.sequence),
    mode,
    status: row.status,
    conclusive: isDeliveryEnded(row.status),
    attempts: row.attempts,
    nextAttemptAt: next.at?.toISOString() ?? null,
    waitsFor: next.waitsFor,
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    lastAttempt: attemptView(row),
  };
}

function attemptView(row: Pick<AttemptRow, 'started_at' | 'duration_ms' | 'status_code' | 'answer' | 'error'>) {
  return {
    startedAt: row.started_at.toISOString(),
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    answer: row.answer,
    error: row.error,
  };
}

export function attemptsView(rows: readonly (AttemptRow & { started_at: Date })[]) {
  return rows.map((row) => ({ attemptId: row.id, kind: row.kind, ...attemptView(row) }));
}

export function callView(eventId: string, { durationMs, statusCode, answer, error }: CallResult) {
  return { eventId, delivered: error === null, durationMs, statusCode, answer, error };
}

/** Shows a signing secret in clear to its owner. No other code lets one out. */
export function secretView(secret: ValidSecret, previousExpiresAt: string | null) {
  return { secret: secret.secret, createdAt: secret.createdAt.toISOString(), previousExpiresAt };
}
