import { MINUTE_MS } from '../platform/clock.ts';

/** When an open payout is asked about again: soon at first, as most end within seconds, then ever less often. */
const DELAYS_MS = [5_000, 15_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
/** About a day of half hours; after that people look into it, and the rail is asked once an hour. */
const ATTEMPTS_OF_A_DAY = 52;
const HOURLY_MS = 60 * MINUTE_MS;
/** Payouts that were sent together are not all asked about together. */
const JITTER = 0.2;

/** @param attempts calls made so far, at least one. */
export function requeryDelayMs(attempts: number, random: () => number = Math.random): number {
  const at = Math.min(Math.max(attempts, 1), DELAYS_MS.length) - 1;
  const delayMs = attempts > ATTEMPTS_OF_A_DAY ? HOURLY_MS : (DELAYS_MS[at] ?? 0);
  return Math.round(delayMs * (1 + JITTER * (2 * random() - 1)));
}
