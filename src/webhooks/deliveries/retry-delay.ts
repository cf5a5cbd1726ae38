const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

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

/** Calls for one event before it is given up; a replay is still possible then. */
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** At most so much later than planned: what failed together does not come back together. */
const JITTER = 0.1;

/**
 * How long to wait after so many calls that failed, in milliseconds; undefined when that was the last.
 * @param random from 0 to 1
 */
export function retryDelayMs(attempts: number, random: () => number = Math.random): number | undefined {
  const delayMs = DELAYS_MS[attempts - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + JITTER * random()));
}

/** Failures in a row after which an endpoint counts as down. */
export const FAILURES_TO_PAUSE = 5;
const FIRST_PAUSE_MS = SECOND_MS;
/** A receiver that is back has its first event after at most this. */
const MAX_PAUSE_MS = MINUTE_MS;

/**
 * How long an endpoint that failed so often in a row is left alone, in milliseconds; 0: not at all. Then one call finds
 * out whether it is back.
 */
export function pauseMs(failuresInARow: number): number {
  const beyond = failuresInARow - FAILURES_TO_PAUSE;
  if (beyond < 0) return 0;
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(beyond, 10));
}
