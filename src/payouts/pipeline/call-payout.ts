import { success } from '../../platform/answer.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { RailAnswer, SendAnswer } from '../../rails/index.ts';
import { transactionStates } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { payoutMovedOn } from '../errors.ts';
import { type PayoutRecord, updateAttemptEnded, updatePayoutDue } from '../queries.ts';
import { requireRailOf } from '../rails.ts';
import { payoutView } from '../views.ts';
import { applyOutcome, tenantOf } from './apply-outcome.ts';
import type { ClaimedPayout } from './claim-payouts.ts';
import { requeryDelayMs } from './requery-delay.ts';

/**
 * A rail that does not know a transfer may yet see it. Only after this is "not found" a reason to send again, under the
 * same reference: the central bank's rule for instant transfers gives the whole way 60 seconds.
 */
const RESEND_MIN_AGE_MS = 60_000;
/** A worker with less than this left of its lease does not begin to send: somebody else may be about to ask. */
const SEND_MARGIN_MS = 60_000;

/** Sends a claimed payout to the rail and applies what it says. */
export async function sendPayout(deps: PayoutDeps, claimed: ClaimedPayout): Promise<void> {
  const payout = await startProcessing(deps, claimed.payout);
  if (payout === undefined) return;
  if (claimed.leaseEndsAt.getTime() - deps.clock.now().getTime() < SEND_MARGIN_MS) return;
  const rail = await requireRailOf(deps.rails, payout);
  const answer = await rail.send({
    tenant: tenantOf(payout),
    railReference: payout.rail_reference,
    amountMinor: payout.amount_minor,
    currency: payout.currency,
    bankCode: payout.beneficiary_bank_code,
    accountNumber: payout.beneficiary_account_number,
    accountName: payout.beneficiary_account_name,
    narration: payout.narration,
    scenario: payout.scenario ?? undefined,
  });
  await endAttempt(deps, payout, claimed.attemptId, answer);
  if (!answer.sent) {
    await giveBack(deps, claimed, 'SEND', requeryDelayMs(payout.attempts));
    return;
  }
  if ((await applyOutcome(deps, payout, answer)) === 'OPEN') {
    await giveBack(deps, claimed, 'QUERY', requeryDelayMs(payout.attempts));
  }
}

/** Asks the rail what became of a payout that may have been sent, and applies what it says. */
export async function queryPayout(deps: PayoutDeps, claimed: ClaimedPayout): Promise<void> {
  // Killed before it could say so, a worker may have left a payout that it was about to send in the queue.
  const payout = await startProcessing(deps, claimed.payout);
  if (payout === undefined) return;
  const answer = await askRail(deps, payout, claimed.attemptId);
  if ((await applyOutcome(deps, payout, answer)) !== 'OPEN') return;
  if (answer.outcome === 'not_found' && isOldEnough(deps, payout)) await giveBack(deps, claimed, 'SEND', 0);
  else await giveBack(deps, claimed, 'QUERY', requeryDelayMs(payout.attempts));
}

/** One question to the rail, with its attempt closed. */
export async function askRail(deps: PayoutDeps, payout: PayoutRecord, attemptId: string | null): Promise<RailAnswer> {
  const rail = await requireRailOf(deps.rails, payout);
  const answer = await rail.query({ tenant: tenantOf(payout), railReference: payout.rail_reference });
  await endAttempt(deps, payout, attemptId, answer);
  return answer;
}

/** `QUEUED` becomes `PROCESSING` before the rail hears of it. Undefined when the payout has ended meanwhile. */
async function startProcessing(deps: PayoutDeps, payout: PayoutRecord): Promise<PayoutRecord | undefined> {
  if (payout.status === 'PROCESSING') return payout;
  if (payout.status !== 'QUEUED') return undefined;
  const at = deps.clock.now().toISOString();
  const started: PayoutRecord = { ...payout, status: 'PROCESSING', updated_at: at };
  try {
    await deps.ledger.commit({
      tenant: tenantOf(payout),
      id: payout.id,
      occurredAt: at,
      transitions: [
        {
          machine: transactionStates,
          id: payout.id,
          from: ['QUEUED'],
          to: 'PROCESSING',
          reason: null,
          otherwise: payoutMovedOn,
        },
      ],
      events: [
        { id: newId(), type: 'payout.processing', subjectId: payout.id, data: JSON.stringify(payoutView(started)) },
      ],
      answer: success('Success'),
    });
    return started;
  } catch (error) {
    // Another worker got here first: the payout is in its hands.
    if (error instanceof AppError && error.code === 'PAYOUT_MOVED_ON') return undefined;
    throw error;
  }
}

function isOldEnough(deps: PayoutDeps, payout: PayoutRecord): boolean {
  if (payout.first_sent_at === null) return true;
  return deps.clock.now().getTime() - new Date(payout.first_sent_at).getTime() >= RESEND_MIN_AGE_MS;
}

/** Due again after a while. Does nothing when the lease has run out or the payout has ended: it is not ours to date. */
async function giveBack(
  deps: PayoutDeps,
  { payout, leaseEndsAt }: ClaimedPayout,
  step: 'SEND' | 'QUERY',
  delayMs: number,
): Promise<void> {
  const dueAt = new Date(deps.clock.now().getTime() + delayMs);
  await deps.database.query(updatePayoutDue, [payout.merchant_id, payout.mode, payout.id, leaseEndsAt, dueAt, step]);
}

async function endAttempt(
  deps: PayoutDeps,
  payout: PayoutRecord,
  attemptId: string | null,
  answer: RailAnswer | SendAnswer,
): Promise<void> {
  const { outcome, code, reason, message, sessionId, at } = answer;
  const key = [payout.merchant_id, payout.mode, payout.id, attemptId];
  await deps.database.query(updateAttemptEnded, [...key, at, outcome, code, reason, message, sessionId]);
}
