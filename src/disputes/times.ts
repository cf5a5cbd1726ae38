import { DAY_MS, MINUTE_MS } from '../platform/clock.ts';
import { type Write, write } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type DisputeRow, updateDisputesAdvanced } from './queries.ts';

/**
 * The pause before the provider is asked again, by how often it was asked since something changed; after the last one,
 * that one.
 */
const PAUSES_MS = [1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS);

/**
 * When the provider is asked about a dispute: soon after it changed, every half an hour, and at the moment at which
 * silence loses it. Null where two people entered it, and no provider is asked.
 */
export function nextCheckAt(
  { source, due_at, checks }: Pick<DisputeRow, 'source' | 'due_at' | 'checks'>,
  now: Date,
): Date | null {
  if (source === 'OPERATOR') return null;
  const later = now.getTime() + (PAUSES_MS[Math.min(checks, PAUSES_MS.length - 1)] as number);
  const isDueBefore = due_at !== null && due_at > now && due_at.getTime() < later;
  return isDueBefore ? due_at : new Date(later);
}

/**
 * A bank that lost may still take a case further: after the end its provider is asked each day, then each week, then no
 * more.
 */
const DAILY_FOR_MS = 7 * DAY_MS;
const ASKED_FOR_MS = 180 * DAY_MS;

/** When the provider is first asked whether it still reports the end of a dispute. */
export const firstCheckOfEnd = ({ source }: Pick<DisputeRow, 'source'>, endedAt: Date): Date | null =>
  source === 'OPERATOR' ? null : new Date(endedAt.getTime() + DAY_MS);

/** The next times of those that are asked about now, and the end times before which the later one, or none, applies. */
export function nextChecksOfEnds(now: Date): { soon: Date; later: Date; endedForLater: Date; endedForNone: Date } {
  const after = (ms: number) => new Date(now.getTime() + ms);
  return {
    soon: after(DAY_MS),
    later: after(7 * DAY_MS),
    endedForLater: after(-DAILY_FOR_MS),
    endedForNone: after(-ASKED_FOR_MS),
  };
}

/** People are reminded when a third of the time is left; null where nobody knows how much that is, or it is over. */
export function remindAtOf(dueAt: Date | null, now: Date): Date | null {
  if (dueAt === null || dueAt <= now) return null;
  return new Date(dueAt.getTime() - (dueAt.getTime() - now.getTime()) / 3);
}

/** Writes that move the times of a sandbox forward. */
export function disputeAdvanceWrites({ merchantId, mode }: Tenant, seconds: number): Write[] {
  return [write(updateDisputesAdvanced, { merchant_id: merchantId, mode, seconds })];
}
