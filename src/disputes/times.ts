import { type Write, write } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type DisputeRow, updateDisputesAdvanced } from './queries.ts';

const MINUTE_MS = 60_000;
/** Until the provider is asked again, by how often it was asked since something changed; from then on, the last. */
const PAUSES_MS = [1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS);

/**
 * When the provider is asked what became of a dispute: soon after it changed, every half an hour, and at the moment at which
 * silence counts. Null where two people enter what they know, and nobody is asked.
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

/** People are reminded when a third of the time is left; null where nobody knows how much that is, or it is over. */
export function remindAtOf(dueAt: Date | null, now: Date): Date | null {
  if (dueAt === null || dueAt <= now) return null;
  return new Date(dueAt.getTime() - (dueAt.getTime() - now.getTime()) / 3);
}

/** What moves when a sandbox's time does. */
export function disputeAdvanceWrites({ merchantId, mode }: Tenant, seconds: number): Write[] {
  return [write(updateDisputesAdvanced, { merchant_id: merchantId, mode, seconds })];
}
