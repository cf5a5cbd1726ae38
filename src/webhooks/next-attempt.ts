import type { DeliveryStatus } from './delivery-queries.ts';
import type { EndpointRow } from './queries.ts';

/**
 * What the next call of a delivery waits for: its TIME by the schedule; its TURN, being due; the end of the PAUSE of an
 * address that fails; that the address is ENABLED again, or that there is an ADDRESS.
 */
export const WAITS_FOR = ['TIME', 'TURN', 'PAUSE', 'ENABLE', 'ADDRESS'] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

export interface NextAttempt {
  /** No call before; null where none will come by itself. */
  at: Date | null;
  /** Null where no call is planned. */
  waitsFor: WaitsFor | null;
}

const NONE: NextAttempt = { at: null, waitsFor: null };

/** Undefined: there never was an address. */
export type EndpointNow = Pick<EndpointRow, 'url' | 'status' | 'paused_until'> | undefined;

interface Planned {
  status: DeliveryStatus;
  next_attempt_at: Date | null;
  replay_at: Date | null;
}

/**
 * When a delivery is called next, as the worker will do it. What its row has planned is the earliest only: an address that
 * fails is left alone, and one that is disabled, or taken away, is not called at all. What is due is called as soon as a
 * worker gets to it, one call after the other.
 */
export function nextAttemptOf(delivery: Planned, endpoint: EndpointNow, now: Date): NextAttempt {
  const planned = earliest(delivery.next_attempt_at, delivery.replay_at);
  return planned === null ? NONE : nextCall(planned, endpoint, now);
}

/** The next call of an address: of an event that was not sent yet, or of the delivery that is due first. */
export function nextCallOf(
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
