import {
  isAsApproved,
  PAYOUTS,
  type PayoutDeps,
  type PayoutRecord,
  payoutEvent,
  payoutMovedOn,
  REPEATED,
  requireRailOf,
  sentTransferOf,
} from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { tenantOf } from '../platform/tenant.ts';
import { NOTHING_REPORTED, type RailAnswer, type RailCaller, type SendAnswer } from '../rails/index.ts';
import { transactionStates } from '../transactions/index.ts';
import { applyOutcome } from './apply-outcome.ts';
import { findOtherRail, maySendAgain } from './fail-over.ts';
import { type FairSlots, SlotsClosedError } from './fair-slots.ts';
import { ALTERED_MS, releasePayout, releasePayouts } from './lease-keeper.ts';
import { type LeasedPayout, mayHaveLeftBefore } from './lease-payouts.ts';
import { evidenceWrite, keepEvidence, type OutcomeSource } from './provider-response.ts';
import { updateAttemptsEnded } from './queries.ts';

/**
 * A rail that does not know a transfer may still process it. "Not found" is a reason to send again, under the same
 * reference, only this long after it may have been sent: the central bank's rule for instant transfers allows a transfer 60
 * seconds.
 */
const NOT_FOUND_AFTER_MS = 60_000;
/** A worker with less than this left of its lease does not begin to send: another worker may be about to ask. */
const SEND_MARGIN_MS = 5_000;
/**
 * A payout that was not sent waits for the rail to come back, and is sent soon after it has; or asked about, where an earlier
 * call may have sent it.
 */
const UNSENT_DELAY_MAX_MS = 5 * MINUTE_MS;
const CHANGE_AGAIN_MS = 5_000;

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

/** Sends a leased payout to the rail and applies what it says. */
export async function sendPayout(deps: PayoutDeps, leased: LeasedPayout, slots: FairSlots): Promise<void> {
  if (await isAltered(deps, leased)) return;
  const payout = await startProcessing(deps, leased.payout);
  if (payout === undefined) return;
  const rail = await requireRailOf(deps.rails, payout);
  const answer = await askToSend(deps, leased, payout, rail, slots);
  if (answer === undefined) return;
  if (!answer.sent) {
    await releaseUnsent(deps, leased, payout, answer);
    return;
  }
  if ((await applyOutcome(deps, payout, answer, sourceOf(leased))) === 'OPEN') {
    await releasePayout(deps, leased, { step: 'QUERY', delayMs: requeryDelayMs(payout.attempts), answered: true });
  }
}

/**
 * Compares a payout with its approval once more: days may lie in between, where a rail was down or its merchant
 * suspended. A payout that was altered is not sent, and stays as it is.
 */
async function isAltered(deps: PayoutDeps, leased: LeasedPayout): Promise<boolean> {
  const { payout } = leased;
  // Items of a batch are compared with its dispatch when they become payouts.
  const isBound = payout.status === 'QUEUED' && payout.approval_id !== null && payout.batch_id === null;
  if (!isBound || (await isAsApproved(deps, payout))) return false;
  const answer = notAsked(deps, 'APPROVAL_SUBJECT_ALTERED', ALTERED_WORDS);
  await keepEvidence(deps.database, payout, { rail: payout.rail, answer, source: sourceOf(leased) }, answer.at);
  await releasePayout(deps, leased, { step: 'SEND', delayMs: ALTERED_MS, unsent: true });
  return true;
}

/** Undefined when the lease may have run out: the worker that has it now asks the rail first. */
async function askToSend(
  deps: PayoutDeps,
  leased: LeasedPayout,
  payout: PayoutRecord,
  rail: RailCaller,
  slots: FairSlots,
): Promise<SendAnswer | undefined> {
  const send = async () => {
    const stop = await findSendObstacle(deps, leased, payout);
    if (stop !== undefined) return stop;
    const beginBy = beginByOf(leased);
    if (deps.clock.now() > beginBy) return undefined;
    leased.asked = true;
    const request = {
      tenant: tenantOf(payout),
      ...sentTransferOf(payout),
      accountName: payout.beneficiary_account_name,
      narration: payout.narration,
      scenario: payout.scenario ?? undefined,
    };
    // The payout may wait for its turn at the rail: what happens meanwhile counts.
    const found: { stop?: SendAnswer } = {};
    const answer = await rail.send(request, undefined, beginBy, async () => {
      const late = await findSendObstacle(deps, leased, payout);
      if (late !== undefined) found.stop = late;
      return late === undefined;
    });
    return found.stop ?? answer;
  };
  try {
    return await slots.use(rail, payout, send);
  } catch (error) {
    if (error instanceof SlotsClosedError) return notAsked(deps, 'RAIL_CALL_ABANDONED', STOPPED_WORDS);
    throw error;
  }
}

/** Later than this its rail is not asked to send it under this lease. */
export function beginByOf({ leaseEndsAt }: Pick<LeasedPayout, 'leaseEndsAt'>): Date {
  return new Date(leaseEndsAt.getTime() - SEND_MARGIN_MS);
}

/** Why a payout may not be sent now; undefined where it may. */
async function findSendObstacle(
  deps: PayoutDeps,
  leased: LeasedPayout,
  payout: PayoutRecord,
): Promise<SendAnswer | undefined> {
  if (await deps.isSuspended(payout.merchant_id)) return notAsked(deps, 'MERCHANT_SUSPENDED', SUSPENDED_WORDS);
  if (await deps.payoutGuard.isFrozen(payout)) return notAsked(deps, 'UNDER_REVIEW', REVIEW_WORDS);
  const why = await whyWithheld(deps, payout);
  return why && withheld(deps, why, { isAsked: leased.before.sent_at !== null });
}

const UNBEGUN_WORDS = 'The worker did not learn in time that the payout was made; nothing was sent';
const STOPPED_WORDS = 'The worker stopped before it was the payout’s turn';
const ALTERED_WORDS = 'Its record is not what was approved: it was changed behind the service';
const SUSPENDED_WORDS = 'The merchant was suspended before it was the payout’s turn';
const WITHHELD_WORDS = {
  PAYMENT_REVERSED: 'The provider says that the payment went back by itself; nothing was sent',
  PAYMENT_UNCERTAIN: 'An earlier refund of the payment that failed may have been paid; nothing was sent',
  [REPEATED]: 'The payout that failed, which it pays again, may have been paid; nothing was sent',
};
const REVIEW_WORDS = 'The operator looks into it before it is sent';
/** We did not call the rail: such a reason says nothing about the rail. */
const OUR_DOING: ReadonlySet<string | null> = new Set(['RAIL_CALL_ABANDONED', 'MERCHANT_SUSPENDED', 'UNDER_REVIEW']);

function notAsked(deps: PayoutDeps, reason: string, message: string): SendAnswer {
  const at = deps.clock.now();
  return {
    outcome: 'unknown',
    code: null,
    reason,
    message,
    sessionId: null,
    at,
    reported: NOTHING_REPORTED,
    sent: false,
  };
}

type WhyWithheld = keyof typeof WITHHELD_WORDS;

/** Whether the payee already has the money of a refund or of a retry list from an earlier payment, or may have it. */
async function whyWithheld(deps: PayoutDeps, payout: PayoutRecord): Promise<WhyWithheld | undefined> {
  const why = await deps.whyNotRefunded(payout);
  if (why !== undefined) return why;
  return (await deps.isPaidBefore(payout)) ? REPEATED : undefined;
}

/**
 * The answer that ends such a payout, so that its hold is released. Where the rail was asked to send it before, it is
 * not sent again and its rail is still queried.
 */
function withheld(deps: PayoutDeps, why: WhyWithheld, { isAsked }: { isAsked: boolean }): SendAnswer {
  const ended = isAsked ? {} : ({ outcome: 'failed', sent: true } as const);
  return { ...notAsked(deps, why, WITHHELD_WORDS[why]), ...ended };
}

/**
 * Releases a payout that was not sent this time. Where its rail was certainly never asked before either, another rail
 * may get the payout. Where it was, it is asked what became of it before it is asked to send again.
 */
async function releaseUnsent(
  deps: PayoutDeps,
  leased: LeasedPayout,
  payout: PayoutRecord,
  answer: SendAnswer,
): Promise<void> {
  await keepEvidence(deps.database, payout, { rail: payout.rail, answer, source: sourceOf(leased) }, answer.at);
  if (answer.reason !== null && answer.reason in WITHHELD_WORDS) {
    await releasePayout(deps, leased, { step: 'QUERY', delayMs: requeryDelayMs(payout.attempts), unsent: true });
    return;
  }
  // Its bank may have been late to know it: it is asked about anew, and not again and again at once.
  if (mayHaveLeftBefore(leased)) {
    const delayMs = Math.min(requeryDelayMs(payout.attempts), UNSENT_DELAY_MAX_MS);
    await releasePayout(deps, leased, { step: 'QUERY', delayMs, unsent: true });
    return;
  }
  const ours = OUR_DOING.has(answer.reason);
  const other = ours || leased.before.sent_at !== null ? undefined : await findOtherRail(deps, payout);
  // At once the first time. Two rails that both have no capacity do not pass a payout to and fro.
  const soonMs = ours || payout.attempts === 1 ? 0 : CHANGE_AGAIN_MS;
  const delayMs = ours || other !== undefined ? soonMs : Math.min(requeryDelayMs(payout.attempts), UNSENT_DELAY_MAX_MS);
  await releasePayout(deps, leased, { step: 'SEND', delayMs, unsent: true, rail: other?.name });
  if (other === undefined) return;
  deps.logger.warn(
    { payoutId: payout.id, from: payout.rail, to: other.name, reason: answer.reason },
    'a payout that its rail was never asked for goes to another rail',
  );
  deps.wake(PAYOUTS);
}

/**
 * Releases payouts for which this worker has not begun to call a rail, and keeps that nothing was sent. Those whose movement was
 * not committed are not there, and nothing changes.
 */
export async function releaseUnbegun(deps: PayoutDeps, unbegun: readonly LeasedPayout[]): Promise<void> {
  const answer = notAsked(deps, 'RAIL_CALL_ABANDONED', UNBEGUN_WORDS);
  const evidence = unbegun.map((leased) => {
    const { payout } = leased;
    return evidenceWrite(payout, { rail: payout.rail, answer, source: sourceOf(leased) }, answer.at).row;
  });
  await deps.database.run(updateAttemptsEnded, evidence);
  await releasePayouts(deps, unbegun, { step: 'SEND', delayMs: 0, unsent: true });
}

/** Asks the rail what became of a payout that may have been sent, and applies what it says. */
export async function queryPayout(deps: PayoutDeps, leased: LeasedPayout, slots: FairSlots): Promise<void> {
  const { payout } = leased;
  if (payout.status !== 'PROCESSING') return;
  const rail = await requireRailOf(deps.rails, payout);
  const answer = await ask(rail, payout, slots);
  if (answer === undefined) {
    await releasePayout(deps, leased, { step: 'QUERY', delayMs: 0 });
    return;
  }
  if ((await applyOutcome(deps, payout, answer, sourceOf(leased))) !== 'OPEN') return;
  const isLost = answer.outcome === 'not_found' && maySendAgain(payout) && isOldEnough(deps, payout, rail);
  // A payout whose payee may have the money from an earlier payment is not sent again: its rail is queried until people
  // have decided.
  if (isLost && (await whyWithheld(deps, payout)) === undefined) {
    await releasePayout(deps, leased, { step: 'SEND', delayMs: 0 });
  } else await releasePayout(deps, leased, { step: 'QUERY', delayMs: requeryDelayMs(payout.attempts) });
}

/** Undefined when the worker stopped before its turn came. */
async function ask(rail: RailCaller, payout: PayoutRecord, slots: FairSlots): Promise<RailAnswer | undefined> {
  try {
    return await slots.use(rail, payout, () => askRail(rail, payout));
  } catch (error) {
    if (error instanceof SlotsClosedError) return undefined;
    throw error;
  }
}

/** Queries the rail that has the payout. */
export function askRail(rail: RailCaller, payout: PayoutRecord): Promise<RailAnswer> {
  return rail.query({ tenant: tenantOf(payout), ...sentTransferOf(payout) });
}

/** `QUEUED` becomes `PROCESSING` before the rail is called. Undefined when the payout has ended meanwhile. */
async function startProcessing(deps: PayoutDeps, payout: PayoutRecord): Promise<PayoutRecord | undefined> {
  if (payout.status === 'PROCESSING') return payout;
  if (payout.status !== 'QUEUED') return undefined;
  const at = deps.clock.now();
  const started: PayoutRecord = { ...payout, status: 'PROCESSING', reason: null, updated_at: at };
  const step = { machine: transactionStates, id: payout.id, from: ['QUEUED'], to: 'PROCESSING', reason: null };
  try {
    await deps.ledger.commit({
      tenant: tenantOf(payout),
      id: payout.id,
      occurredAt: at.toISOString(),
      transitions: [{ ...step, refusal: payoutMovedOn }],
      events: [payoutEvent('payout.processing', started)],
      answer: success('Success'),
    });
    return started;
  } catch (error) {
    // Another worker was first and has the payout in hand.
    if (error instanceof AppError && error.code === 'PAYOUT_MOVED_ON') return undefined;
    throw error;
  }
}

function isOldEnough(deps: PayoutDeps, payout: PayoutRecord, rail: RailCaller): boolean {
  if (payout.sent_at === null) return true;
  const ageMs = deps.clock.now().getTime() - payout.sent_at.getTime();
  return ageMs >= (rail.notFoundAfterMs ?? NOT_FOUND_AFTER_MS);
}

function sourceOf({ attempt }: LeasedPayout): OutcomeSource {
  if (attempt === null) throw new Error('a call without an attempt');
  return { attempt };
}
