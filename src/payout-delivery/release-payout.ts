import { operatorReason, type PayoutDeps, type PayoutStep } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { type ClaimedPayout, isoOrNull } from './claim-payouts.ts';
import { notePayoutFailure } from './payout-delays.ts';
import { updatePayoutsGivenBack } from './queries.ts';

/** Until what is not as it was approved is looked at again. */
export const ALTERED_MS = 5 * 60_000;

interface GivenBack {
  step: PayoutStep;
  delayMs: number;
  /** It is certain that this claim sent nothing. */
  unsent?: boolean;
  /** The rail was asked to send by this claim, and not after now. */
  answered?: boolean;
  /** The rail that has it from here on; as before where absent. */
  rail?: string | undefined;
}

/** Due again after a while. Does nothing when the claim was lost or the payout has ended: it is not ours to date. */
export async function giveBack(deps: PayoutDeps, claimed: ClaimedPayout, back: GivenBack): Promise<void> {
  const { payout, claimId, before } = claimed;
  const now = deps.clock.now();
  const { first_sent_at, sent_at } = back.unsent === true ? before : payout;
  const row = write(updatePayoutsGivenBack, {
    merchant_id: payout.merchant_id,
    mode: payout.mode,
    id: payout.id,
    claim_id: claimId,
    rail: back.rail ?? payout.rail,
    due_at: new Date(now.getTime() + back.delayMs).toISOString(),
    next_step: back.step,
    first_sent_at: isoOrNull(first_sent_at),
    sent_at: back.answered === true ? now.toISOString() : isoOrNull(sent_at),
    operator_reason: back.step === 'QUERY' ? operatorReason(deps, payout) : null,
    at: now.toISOString(),
  });
  await deps.database.run(row.into, [row.row]);
}

/**
 * After an error that says nothing of the payout: soon again at first, rather than when the claim has run out, and later
 * each time that it fails. What may have been sent is asked about.
 */
export async function giveBackAfterError(deps: PayoutDeps, claimed: ClaimedPayout, error: unknown): Promise<void> {
  const { payout, step, asked } = claimed;
  const unsent = step === 'SEND' && !asked;
  const delayMs = await notePayoutFailure(deps, payout, error, 'a payout step failed');
  await giveBack(deps, claimed, { step: asked ? 'QUERY' : step, delayMs, unsent, answered: asked });
}
