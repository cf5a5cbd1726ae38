import { operatorReason, type PayoutDeps, type PayoutStep } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import type { LeasedPayout } from './lease-payouts.ts';
import { notePayoutFailure } from './payout-delays.ts';
import { updatePayoutLeasesReleased } from './queries.ts';

/** Until what is not as it was approved is looked at again. */
export const ALTERED_MS = 5 * 60_000;

interface PayoutRelease {
  step: PayoutStep;
  delayMs: number;
  /** It is certain that this lease sent nothing. */
  unsent?: boolean;
  /** The rail was asked to send by this lease, and not after now. */
  answered?: boolean;
  /** The rail that has it from here on; as before where absent. */
  rail?: string | undefined;
}

/** Due again after a while. Does nothing when the lease was lost or the payout has ended: it is not ours to date. */
export async function releasePayout(deps: PayoutDeps, leased: LeasedPayout, back: PayoutRelease): Promise<void> {
  const { payout, leaseId, before } = leased;
  const now = deps.clock.now();
  const { first_sent_at, sent_at } = back.unsent === true ? before : payout;
  const row = write(updatePayoutLeasesReleased, {
    merchant_id: payout.merchant_id,
    mode: payout.mode,
    id: payout.id,
    lease_id: leaseId,
    rail: back.rail ?? payout.rail,
    due_at: new Date(now.getTime() + back.delayMs),
    next_step: back.step,
    first_sent_at,
    sent_at: back.answered === true ? now : sent_at,
    operator_reason: back.step === 'QUERY' ? operatorReason(deps, payout) : null,
    at: now,
  });
  await deps.database.run(row.into, [row.row]);
}

/**
 * After an error that says nothing of the payout: soon again at first, rather than when the lease has run out, and later
 * each time that it fails. What may have been sent is asked about.
 */
export async function releaseAfterError(deps: PayoutDeps, leased: LeasedPayout, error: unknown): Promise<void> {
  const { payout, step, asked } = leased;
  const unsent = step === 'SEND' && !asked;
  const delayMs = await notePayoutFailure(deps, payout, error, 'a payout step failed');
  await releasePayout(deps, leased, { step: asked ? 'QUERY' : step, delayMs, unsent, answered: asked });
}
