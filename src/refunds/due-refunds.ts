import type { InboundPaymentRow } from '../collections/index.ts';
import { success } from '../platform/answer.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import type { RefundAnswer, RefundCaller, SentRefundAnswer } from '../rails/index.ts';
import { applyAnswer } from './apply-answer.ts';
import type { RefundDeps } from './deps.ts';
import { refundMovedOn } from './errors.ts';
import { followPayout } from './follow-payout.ts';
import { type WhyWithheld, whyWithheld } from './guards.ts';
import {
  insertRefundAttempts,
  isConclusive,
  leaseRefund,
  listDueRefunds,
  type RefundOperatorReason,
  type RefundRow,
  type RefundStep,
  releaseRefund,
  updateRefundsAdvanced,
} from './queries.ts';
import { orderOf, paymentOf, refundCallerOf } from './refund-order.ts';
import { refundStep } from './refund-step.ts';
import { isAsApproved } from './refund-subject.ts';

/** Refunds that one process has in hand at once, in each mode. */
const AT_ONCE = 16;
/**
 * Longer than a call may take that begins by `BEGIN_WITHIN_MS`: no other worker leases the refund while it is at the
 * provider.
 */
const LEASE_MS = 60_000;
const BEGIN_WITHIN_MS = 20_000;
/** When an open refund is asked about again: soon at first, then ever less often. */
const DELAYS_MS = [5_000, 15_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** Refunds that were sent together are not all asked about together. */
const JITTER = 0.2;
/** When a refund for which no provider can be asked is looked at again. */
const PUT_OFF_MS = 5 * MINUTE_MS;
/** The same where it may have left: its provider is asked then, perhaps for weeks. */
const ASKED_MEANWHILE_MS = 15 * MINUTE_MS;
/** How long the outcome of a refund may stay unknown before people look into it. */
const UNKNOWN_AFTER_MS = 24 * 60 * MINUTE_MS;

/** @param attempts calls made so far, at least one. */
function delayMsAfter(attempts: number): number {
  const delayMs = DELAYS_MS[Math.min(Math.max(attempts, 1), DELAYS_MS.length) - 1] ?? 0;
  return Math.round(delayMs * (1 + JITTER * (2 * Math.random() - 1)));
}

/** A refund that this worker has. `before`: the values that are restored where nothing was sent. */
interface LeasedRefund {
  refund: RefundRow;
  step: RefundStep;
  leaseId: string;
  attemptId: string;
  beginBy: Date;
  before: Pick<RefundRow, 'first_sent_at' | 'sent_at'>;
}

/**
 * Takes the next step of each due refund of one mode: sends it, asks about it, gives the payer's account, or follows
 * its payout. Each is leased before the provider is called: a refund that is about to be sent has to be asked about
 * from then on, even if this worker dies.
 * @returns how many steps were taken.
 */
export async function sendDueRefunds(deps: RefundDeps, mode: Mode): Promise<number> {
  const failures = deps.jobs.failuresOf('refunds.step');
  const due = await deps.database.query(listDueRefunds, [mode, deps.clock.now(), AT_ONCE, failures.backingOffKeys()]);
  const taken = await Promise.all(
    due.map(async (refund) => {
      try {
        const isTaken = await takeStep(deps, refund);
        failures.succeeded(refund.id);
        return isTaken;
      } catch (error) {
        // The lease runs out: the refund is asked about, or sent again under the same reference.
        const { merchant_id: merchantId, id: refundId } = refund;
        failures.failed(refundId, error, { message: 'a step of a refund failed', mode, merchantId, refundId });
        return false;
      }
    }),
  );
  return taken.filter(Boolean).length;
}

async function takeStep(deps: RefundDeps, due: RefundRow): Promise<boolean> {
  if (due.way === 'PAYOUT') return followPayout(deps, due, delayMsAfter);
  const caller = await refundCallerOf(deps, due);
  const { next_step: step } = due;
  const isStopped = LETS_LEAVE.has(step) && (await isHeldBack(deps, await paymentOf(deps, due)));
  const leased = await lease(deps, due, caller !== undefined && !isStopped);
  if (leased === undefined) return false;
  if (caller === undefined || isStopped) {
    await putOff(deps, leased, caller !== undefined);
    return false;
  }
  switch (leased.step) {
    case 'SEND':
      return send(deps, leased, caller);
    case 'DETAILS':
      return giveDetails(deps, leased, caller);
    case 'QUERY':
    case 'CHECK':
      return query(deps, leased, caller);
    case 'FOLLOW':
      throw new Error(`refund ${due.id} follows a payout that it does not have`);
  }
}

/**
 * Releases a refund for which no provider can be called now. One that may not be sent, and that an earlier call may have sent,
 * is asked about meanwhile: its provider may have it after all.
 */
function putOff(deps: RefundDeps, leased: LeasedRefund, isCallable: boolean): Promise<void> {
  const { step } = leased;
  const isOpen = step === 'SEND' && mayHaveLeft(leased);
  const delayMs = isOpen && isCallable ? ASKED_MEANWHILE_MS : PUT_OFF_MS;
  return release(deps, leased, { step: isOpen ? 'QUERY' : step, delayMs, unsent: true });
}

/** Whether a call before this lease may have sent it. A refund that is still queued was never sent. */
const mayHaveLeft = ({ refund, before }: LeasedRefund): boolean =>
  refund.status !== 'QUEUED' && before.sent_at !== null;

/** Steps by which money leaves. */
const LETS_LEAVE: ReadonlySet<RefundStep> = new Set(['SEND', 'DETAILS']);

/** Whether the refund may not leave: its merchant is suspended, or the payment, its payer or its merchant is frozen. */
async function isHeldBack(deps: RefundDeps, payment: InboundPaymentRow): Promise<boolean> {
  if (await deps.isSuspended(payment.merchant_id)) return true;
  return deps.compliance.isPaymentFrozen(payment);
}

/**
 * Commits that this worker has the refund, with the row of the call that it is about to make. Undefined where another
 * has it.
 * @param calls false where no provider can be called now: then it is only leased to be put off.
 */
async function lease(deps: RefundDeps, due: RefundRow, calls: boolean): Promise<LeasedRefund | undefined> {
  const now = deps.clock.now();
  const { merchant_id, mode, id, next_step: step } = due;
  const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
  const isSend = calls && step === 'SEND';
  const [leaseId, attemptId] = [newId(), newId()];
  const next = isSend ? 'QUERY' : step;
  const firstSentAt = due.first_sent_at ?? (isSend ? now : null);
  // The latest time at which it may begin: where this worker dies, an answer of "not found" is judged by this time.
  const sentAt = isSend ? leaseEndsAt : due.sent_at;
  const key = [merchant_id, mode, id, due.due_at];
  const refund = await deps.database.transaction(async (tx) => {
    const values = [...key, leaseEndsAt, leaseId, next, calls ? 1 : 0, firstSentAt, sentAt];
    const [leased] = await tx.query(leaseRefund, values);
    if (leased === undefined || !calls) return leased;
    const attempt = write(insertRefundAttempts, {
      merchant_id,
      mode,
      refund_id: id,
      id: attemptId,
      rail: due.rail,
      kind: step === 'FOLLOW' ? 'QUERY' : step,
      started_at: now,
      ended_at: null,
      outcome: null,
      code: null,
      reason: null,
      message: null,
      provider_refund_id: null,
      reported: null,
    });
    await tx.run(attempt.into, [attempt.row]);
    return leased;
  });
  if (refund === undefined) return undefined;
  const { first_sent_at, sent_at } = due;
  const beginBy = new Date(now.getTime() + BEGIN_WITHIN_MS);
  return { refund, step, leaseId, attemptId, beginBy, before: { first_sent_at, sent_at } };
}

interface Release {
  step: RefundStep;
  /** Null: nothing is to be done. */
  delayMs: number | null;
  /** Certainly nothing was sent under this lease. */
  unsent?: boolean;
  /** The provider was asked to send under this lease, and not later than now. */
  answered?: boolean;
  providerRefundId?: string | null;
}

/** Does nothing where the lease was lost or the refund has ended. */
async function release(deps: RefundDeps, { refund, leaseId, before }: LeasedRefund, back: Release): Promise<void> {
  const now = deps.clock.now();
  const { first_sent_at, sent_at } = back.unsent === true ? before : refund;
  const sentAt = back.answered === true ? now : sent_at;
  const dueAt = back.delayMs === null ? null : new Date(now.getTime() + back.delayMs);
  const key = [refund.merchant_id, refund.mode, refund.id, leaseId];
  const reason = back.step === 'QUERY' ? operatorReasonOf(deps, first_sent_at) : null;
  const rest = [back.providerRefundId ?? null, reason, now];
  await deps.database.query(releaseRefund, [...key, dueAt, back.step, first_sent_at, sentAt, ...rest]);
}

function operatorReasonOf(deps: RefundDeps, firstSentAt: Date | null): RefundOperatorReason | null {
  if (firstSentAt === null) return null;
  const openMs = deps.clock.now().getTime() - firstSentAt.getTime();
  return openMs >= (deps.unknownAfterMs ?? UNKNOWN_AFTER_MS) ? 'UNKNOWN_TOO_LONG' : null;
}

async function send(deps: RefundDeps, leased: LeasedRefund, caller: RefundCaller): Promise<boolean> {
  const { refund } = leased;
  if (refund.status === 'QUEUED' && refund.approval_id !== null && !(await isAsApproved(deps, refund))) {
    await refuseToSend(deps, leased, 'APPROVAL_SUBJECT_ALTERED', 'Its record is not what was approved');
    return false;
  }
  const started = await startProcessing(deps, refund);
  if (started === undefined) return false;
  const payment = await paymentOf(deps, refund);
  const order = orderOf(started, payment, caller.capabilities.maxNote);
  const { mayBegin, found } = beforeSending(deps, payment);
  const answer = await caller.refund(order, leased.beginBy, mayBegin);
  const of = { ...leased, refund: started };
  const isUnasked = !mayHaveLeft(leased);
  if (found.why === undefined) return apply(deps, of, { order, payment }, answer, isUnasked ? 'SEND' : 'QUERY');
  // A refund whose payer may already have the money is not sent again: nobody was asked for it yet, so it ends.
  if (isUnasked) return apply(deps, of, { order, payment }, unsentAnswer(deps, found.why));
  return apply(deps, of, { order, payment }, answer, 'QUERY');
}

/** Checks against a refund are made when its call has its turn: something may have come up while it waited. */
function beforeSending(deps: RefundDeps, payment: InboundPaymentRow) {
  const found: { why?: WhyWithheld } = {};
  const mayBegin = async () => {
    const why = await whyWithheld(deps.database, payment);
    if (why !== undefined) found.why = why;
    return why === undefined && !(await isHeldBack(deps, payment));
  };
  return { mayBegin, found };
}

const WITHHELD_WORDS: Record<WhyWithheld, string> = {
  PAYMENT_REVERSED: 'The provider says that the payment went back by itself; nothing was sent',
  PAYMENT_UNCERTAIN: 'An earlier refund of the payment that failed may have been paid; nothing was sent',
};

function unsentAnswer(deps: RefundDeps, reason: WhyWithheld): SentRefundAnswer {
  return {
    outcome: 'failed',
    code: null,
    reason,
    message: WITHHELD_WORDS[reason],
    providerRefundId: null,
    at: deps.clock.now(),
    reported: { reference: null, providerTransactionId: null, amountMinor: null, currency: null },
    sent: true,
  };
}

/** Keeps the refund with its reason, to be looked at again: people have to correct it. */
async function refuseToSend(deps: RefundDeps, leased: LeasedRefund, reason: string, message: string): Promise<void> {
  const payment = await paymentOf(deps, leased.refund);
  const order = orderOf(leased.refund, payment, 0);
  const answer: RefundAnswer = { ...unsentAnswer(deps, 'PAYMENT_REVERSED'), outcome: 'unknown', reason, message };
  await applyAnswer(deps, leased.refund, { order, payment }, answer, { attemptId: leased.attemptId });
  await release(deps, leased, { step: 'SEND', delayMs: PUT_OFF_MS, unsent: true });
}

async function giveDetails(deps: RefundDeps, leased: LeasedRefund, caller: RefundCaller): Promise<boolean> {
  const { refund } = leased;
  if (isConclusive(refund.status)) return false;
  const payment = await paymentOf(deps, refund);
  const order = orderOf(refund, payment, caller.capabilities.maxNote);
  // From here on a request for the account is one for another account.
  const asked = { ...leased, refund: { ...refund, next_step: 'QUERY' as const } };
  const { mayBegin, found } = beforeSending(deps, payment);
  const answer = await caller.giveDetails(order, leased.beginBy, mayBegin);
  // The account would release a refund whose payer may already have the money: it is asked about until people have
  // decided.
  return apply(deps, asked, { order, payment }, answer, found.why === undefined ? 'DETAILS' : 'QUERY');
}

type About = Parameters<typeof applyAnswer>[2];

/** Applies the provider's answer to a call. @param unsentStep the next step where nothing was sent */
async function apply(
  deps: RefundDeps,
  leased: LeasedRefund,
  about: About,
  answer: SentRefundAnswer,
  unsentStep: RefundStep = leased.step,
): Promise<boolean> {
  const { refund, attemptId, step } = leased;
  const { applied, believed } = await applyAnswer(deps, refund, about, answer, { attemptId });
  if (applied !== 'OPEN') return true;
  const delayMs = delayMsAfter(refund.attempts);
  const { providerRefundId } = believed;
  if (!answer.sent)
    await release(deps, leased, { step: unsentStep, delayMs: Math.min(delayMs, PUT_OFF_MS), unsent: true });
  else await release(deps, leased, { step: 'QUERY', delayMs, answered: step === 'SEND', providerRefundId });
  return true;
}

async function query(deps: RefundDeps, leased: LeasedRefund, caller: RefundCaller): Promise<boolean> {
  const { refund, attemptId, step } = leased;
  const payment = await paymentOf(deps, refund);
  const { notFoundAfterMs, maxNote } = caller.capabilities;
  const order = orderOf(refund, payment, maxNote);
  const answer = await caller.queryRefund(order);
  // The account was given and did not arrive: it is given again.
  const isLost = answer.outcome === 'needs_details' && refund.status === 'PROCESSING' && order.account !== null;
  const current = isLost ? { ...refund, next_step: 'DETAILS' as const } : refund;
  const { applied, believed } = await applyAnswer(deps, current, { order, payment }, answer, { attemptId });
  if (step === 'CHECK') {
    await release(deps, leased, { step: 'CHECK', delayMs: null });
    return true;
  }
  if (applied !== 'OPEN') return true;
  const maySend = believed.outcome === 'not_found' && mayBeSentAgain(refund);
  const isOld = refund.sent_at === null || deps.clock.now().getTime() - refund.sent_at.getTime() >= notFoundAfterMs;
  const delayMs = refund.status === 'NEEDS_DETAILS' ? WAITING_MS : delayMsAfter(refund.attempts);
  // A refund whose payer may have the money from an earlier one is not sent again: it is asked about until people have
  // decided.
  const goesOn = ((maySend && isOld) || isLost) && (await whyWithheld(deps.database, payment)) === undefined;
  if (goesOn && !isLost) await release(deps, leased, { step: 'SEND', delayMs: 0 });
  else if (goesOn) await release(deps, leased, { step: 'DETAILS', delayMs });
  else await release(deps, leased, { step: 'QUERY', delayMs, providerRefundId: believed.providerRefundId });
  return true;
}

const WAITING_MS = 30 * MINUTE_MS;

/**
 * Not where the provider answered about another refund: that one may be this refund under a wrong name. Nor while it
 * waits for an account. A refund that is still queued was leased by a worker that died before it asked the provider.
 */
const mayBeSentAgain = ({ status, provider_refund_id, operator_reason }: RefundRow): boolean =>
  (status === 'QUEUED' || status === 'PROCESSING') &&
  provider_refund_id === null &&
  operator_reason !== 'RAIL_ANSWER_MISMATCH';

/** `QUEUED` becomes `PROCESSING` before the provider is called. Undefined where the refund has ended meanwhile. */
async function startProcessing(deps: RefundDeps, refund: RefundRow): Promise<RefundRow | undefined> {
  if (refund.status === 'PROCESSING') return refund;
  if (refund.status !== 'QUEUED') return undefined;
  const at = deps.clock.now();
  try {
    await deps.ledger.commit({
      tenant: tenantOf(refund),
      id: refund.id,
      occurredAt: at.toISOString(),
      ...refundStep(refund, { to: 'PROCESSING', reason: null, at, refusal: refundMovedOn }),
      answer: success('Success'),
    });
    return { ...refund, status: 'PROCESSING', reason: null, updated_at: at };
  } catch (error) {
    if (error instanceof AppError && error.code === refundMovedOn(undefined).code) return undefined;
    throw error;
  }
}

/** Writes that make the refunds of a sandbox due so much earlier. */
export function refundAdvanceWrites({ merchantId, mode }: Tenant, seconds: number): Write[] {
  return [write(updateRefundsAdvanced, { merchant_id: merchantId, mode, seconds })];
}
