import { sessionsTooMany } from '../payment-sessions/index.ts';
import type { Clock } from '../platform/clock.ts';
import { createWindowCounter } from '../platform/window-counter.ts';

const MINUTE_MS = 60_000;
/** Some 2 MB. */
const MAX_CALLERS = 20_000;
/** One network opens at most one in so many of the sessions that a link opens in a minute. */
const NETWORKS_AT_LEAST = 10;
/** Commits of one link that wait for the ledger at once: each waits for the one before it. */
const MOST_WAITING = 16;

/**
 * Keeps whoever has the address of a link from using up what the link opens, and from filling the queue of the ledger, in
 * which other merchants wait too. In memory and by process; what the link opens in all is counted at the commit.
 */
export interface OpeningLimits {
  /** Before a session is opened from a network. @throws AppError 429 `PAYMENT_SESSIONS_TOO_MANY` */
  countNetwork(linkId: string, network: string, sessionsPerMinute: number): void;
  /** Around the commit that opens one. @throws AppError 429 `PAYMENT_SESSIONS_TOO_MANY`, without a commit */
  whileFewWait<Result>(linkId: string, commit: () => Promise<Result>): Promise<Result>;
}

export function createOpeningLimits(clock: Clock): OpeningLimits {
  const networks = createWindowCounter({ clock, windowMs: MINUTE_MS, maxCallers: MAX_CALLERS });
  const waiting = new Map<string, number>();
  return {
    countNetwork(linkId, network, sessionsPerMinute) {
      const most = Math.max(1, Math.floor(sessionsPerMinute / NETWORKS_AT_LEAST));
      if (networks.count(`${linkId}/${network}`).count > most) throw sessionsTooMany();
    },
    async whileFewWait(linkId, commit) {
      const others = waiting.get(linkId) ?? 0;
      if (others >= MOST_WAITING) throw sessionsTooMany();
      waiting.set(linkId, others + 1);
      try {
        return await commit();
      } finally {
        const left = (waiting.get(linkId) ?? 1) - 1;
        if (left > 0) waiting.set(linkId, left);
        else waiting.delete(linkId);
      }
    },
  };
}
