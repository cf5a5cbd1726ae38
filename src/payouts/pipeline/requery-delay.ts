/** When an open payout is asked about again: soon at first, as most end within seconds, then ever less often. */
const DELAYS_MS = [5_000, 15_000, 60_000, 5 * 60_000, 30 * 60_000];
/** So that payouts that went out together are not asked about together. */
const JITTER = 0.2;

/** @param attempts calls made so far, at least one. */
export function requeryDelayMs(attempts: number, random: () => number = Math.random): number {
  const at = Math.min(Math.max(attempts, 1), DELAYS_MS.length) - 1;
  const delayMs = DELAYS_MS[at] ?? 0;
  return Math.round(delayMs * (1 + JITTER * (2 * random() - 1)));
}
