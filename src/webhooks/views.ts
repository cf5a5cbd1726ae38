import type { Mode } from '../platform/tenant.ts';
import type { CallResult } from './connection.ts';
import type { AttemptRow, DeliveryRecord } from './delivery-queries.ts';
import { type EndpointNow, nextAttemptOf, nextCallOf } from './next-attempt.ts';
import type { EndpointRow } from './queries.ts';
import type { ValidSecret } from './secrets.ts';

/** Undefined: no address was ever set. */
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
  };
}

export function noEndpointView(lastSequence: bigint, now: Date) {
  const nothing = { url: '', status: 'ENABLED' as const, reason: null, failures_in_a_row: 0 };
  const row = { ...nothing, paused_until: null, retry_at: null, cursor_sequence: lastSequence };
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

/** The one place where a signing secret leaves in clear: to its owner. */
export function secretView(secret: ValidSecret, previousExpiresAt: string | null) {
  return { secret: secret.secret, createdAt: secret.createdAt.toISOString(), previousExpiresAt };
}
