import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import {
  type AttemptRow,
  insertAttempts,
  lockDuePayouts,
  type PayoutLease,
  type PayoutRecord,
  type PayoutStep,
  updatePayoutLeases,
} from '../queries.ts';

/**
 * How long a worker has a payout before another may take it over. Longer than the longest call, its wait for a slot
 * and the commits around it, so that only a dead worker's lease runs out.
 */
export const LEASE_MS = 120_000;

/** A payout in this worker's hands until `leaseEndsAt`, with the step to take. */
export interface ClaimedPayout {
  payout: PayoutRecord;
  step: PayoutStep;
  leaseEndsAt: Date;
  /** Of this call; a fire calls nobody. */
  attemptId: string | null;
}

/**
 * Takes up to `limit` due payouts of one tenant, and commits that it did before anybody is called: a payout that is
 * about to be sent is one to ask about from here on, whatever becomes of this worker.
 */
export async function claimPayouts(deps: PayoutDeps, tenant: Tenant, limit: number): Promise<ClaimedPayout[]> {
  const now = deps.clock.now();
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
  return deps.database.transaction(async (tx) => {
    const due = await tx.query(lockDuePayouts, [tenant.merchantId, tenant.mode, now, limit]);
    const claimed = due.map((payout) => claim(payout, leaseEndsAt, now));
    await Promise.all([
      tx.run(updatePayoutLeases as never, claimed.map((one) => one.lease) as never),
      tx.run(insertAttempts as never, claimed.flatMap((one) => one.attempt ?? []) as never),
    ]);
    return claimed.map((one) => one.claimed);
  });
}

function claim(payout: PayoutRecord, leaseEndsAt: Date, now: Date) {
  const step = payout.next_step;
  const calls = step !== 'FIRE';
  const first_sent_at = payout.first_sent_at ?? (step === 'SEND' ? now : null);
  const scope = { merchant_id: payout.merchant_id, mode: payout.mode };
  const lease: PayoutLease = {
    ...scope,
    id: payout.id,
    due_at: leaseEndsAt.toISOString(),
    next_step: step === 'SEND' ? 'QUERY' : step,
    attempts: payout.attempts + (calls ? 1 : 0),
    first_sent_at: first_sent_at === null ? null : new Date(first_sent_at).toISOString(),
  };
  const attempt: AttemptRow | undefined = calls
    ? { ...scope, payout_id: payout.id, id: newId(), kind: step, started_at: now.toISOString(), ...UNANSWERED }
    : undefined;
  const held = { ...payout, ...lease, merchant_id: payout.merchant_id, mode: payout.mode };
  const claimed: ClaimedPayout = { payout: held, step, leaseEndsAt, attemptId: attempt?.id ?? null };
  return { lease, attempt, claimed };
}

export const UNANSWERED = { ended_at: null, outcome: null, code: null, reason: null, message: null, session_id: null };
