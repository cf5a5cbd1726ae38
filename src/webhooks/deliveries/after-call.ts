import type { CallResult } from '../sending/connection.ts';
import type { AttemptKind, DeliveryStatus } from './queries.ts';
import { retryDelayMs } from './retry-delay.ts';

/** What a call can change about a delivery. */
export interface DeliveryState {
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/** Before the first call. */
export const UNTOLD: DeliveryState = { status: 'PENDING', attempts: 0, nextAttemptAt: null, deliveredAt: null };

/**
 * A delivery after a call that ended at `endedAt`. A replay that fails takes nothing back and leaves the schedule as it
 * was; one that succeeds ends it.
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
