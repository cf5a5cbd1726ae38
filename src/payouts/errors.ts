import { FEE_ERRORS } from '../fees/index.ts';
import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { lagosTimeText } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { createProblems, kindOf, type ProblemData } from '../platform/problem.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import type { TakenKey } from './dedupe-key-queries.ts';

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds && seconds % unitSeconds === 0) ?? [
    'second',
    1,
  ];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

type Same = { amountMinor: string };
type SamePayout = Same & { transactionId: string };
type SameRow = Same & { row: number; batchReference: string };

const same = (amountMinor: string) => `The same amount, ${formatMoney(BigInt(amountMinor), DEFAULT_CURRENCY)},`;

/** What a refused payout repeats. Sums are kobo, as digits. */
const PAYOUT_PROBLEMS = {
  DUPLICATE_OF_PAYOUT: kindOf<SamePayout & { withinSeconds: number }>(
    null,
    ({ transactionId, withinSeconds, amountMinor }) =>
      `${same(amountMinor)} was paid to this account less than ${durationText(withinSeconds)} ago: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_BATCH_PAYOUT: kindOf<SamePayout & { withinSeconds: number; batchReference: string }>(
    null,
    ({ transactionId, withinSeconds, batchReference, amountMinor }) =>
      `${same(amountMinor)} was paid to this account less than ${durationText(withinSeconds)} ago by bulk payout ${batchReference}: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_SCHEDULE: kindOf<SamePayout & { at: string }>(
    null,
    ({ transactionId, at, amountMinor }) =>
      `${same(amountMinor)} is scheduled for this account on ${lagosTimeText(new Date(at))}: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_NEW_SCHEDULE: kindOf<SamePayout & { withinSeconds: number }>(
    null,
    ({ transactionId, withinSeconds, amountMinor }) =>
      `${same(amountMinor)} was scheduled for this account on the same day less than ${durationText(withinSeconds)} ago: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_WAITING_PAYOUT: kindOf<SamePayout>(
    null,
    ({ transactionId, amountMinor }) =>
      `${same(amountMinor)} to this account waits for approval: transaction ${transactionId}.`,
  ),
  DUPLICATE_OF_ROW: kindOf<SameRow>(
    null,
    ({ row, batchReference, amountMinor }) =>
      `${same(amountMinor)} to this account stands in row ${row} of bulk payout ${batchReference}, which is being paid.`,
  ),
  DUPLICATE_OF_WAITING_ROW: kindOf<SameRow>(
    null,
    ({ row, batchReference, amountMinor }) =>
      `${same(amountMinor)} to this account stands in row ${row} of bulk payout ${batchReference}, which waits for approval.`,
  ),
};

export const payoutProblems = createProblems(PAYOUT_PROBLEMS);
const { problem } = payoutProblems;

/** The problem that a payout requested at `at` duplicates the one that took the key before. */
export function duplicateProblem(amountMinor: bigint, taken: TakenKey, windowMs: number, at: Date): ProblemData {
  const { scope, subject_id: transactionId, batch_id, position, batch_status, from_at } = taken;
  const amount = { amountMinor: String(amountMinor) };
  const withinSeconds = Math.ceil(windowMs / 1_000);
  const batchReference = batchReferenceOf(batch_id ?? '');
  if (position !== null) {
    const code = batch_status === 'PENDING_APPROVAL' ? 'DUPLICATE_OF_WAITING_ROW' : 'DUPLICATE_OF_ROW';
    return problem(code, { ...amount, row: position, batchReference });
  }
  if (scope === 'WAITING') return problem('DUPLICATE_OF_WAITING_PAYOUT', { ...amount, transactionId });
  if (scope !== 'PAID') return problem('DUPLICATE_OF_NEW_SCHEDULE', { ...amount, transactionId, withinSeconds });
  if (from_at > at) return problem('DUPLICATE_OF_SCHEDULE', { ...amount, transactionId, at: from_at.toISOString() });
  if (batch_id === null) return problem('DUPLICATE_OF_PAYOUT', { ...amount, transactionId, withinSeconds });
  return problem('DUPLICATE_OF_BATCH_PAYOUT', { ...amount, transactionId, withinSeconds, batchReference });
}

/** What a command may be refused with that holds money to be paid out, for one payout or many. */
export const PAYMENT_ERRORS = [
  'INSUFFICIENT_FUNDS',
  'PAYOUT_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  'APPROVAL_RULES_CHANGED',
  ...FEE_ERRORS,
] as const;

/** It does not say which side the refusal is about, nor why: nobody may learn of a freeze by paying. */
export const payoutNotPossible = () =>
  new AppError(
    'refused',
    'PAYOUT_NOT_POSSIBLE',
    'This payout cannot be made at the moment. Please contact support and give the ID of this request.',
  );

/** For a payout that refunds a payment. The person who requested the refund can withdraw it. */
export const payoutGoneBack = () =>
  new AppError(
    'conflict',
    'PAYMENT_NOT_REFUNDABLE',
    'This payment cannot be refunded now: the provider says that it went back to its payer by itself, and the operator looks into it.',
  );

export const railNotConfigured = () =>
  new AppError(
    'unavailable',
    'RAIL_NOT_CONFIGURED',
    'Payouts are not connected to a bank in this mode yet. Please contact support.',
  );

export const referenceTaken = () =>
  new AppError('conflict', 'REFERENCE_TAKEN', 'You have used this reference before. Each payout needs its own.');

export const scheduleNotFound = () =>
  new AppError('not_found', 'SCHEDULE_NOT_FOUND', 'There is no scheduled payout with this id.');

export const scheduleAlreadyCancelled = () =>
  new AppError('conflict', 'SCHEDULE_ALREADY_CANCELLED', 'Scheduled payout has already been cancelled');

export const scheduleAlreadyFired = () =>
  new AppError(
    'conflict',
    'SCHEDULE_ALREADY_FIRED',
    'The scheduled payout has already been sent, so it cannot be cancelled.',
  );

/** For the pipeline: another worker moved the payout on first. Never returned to a client. */
export const payoutMovedOn = (actual: string | undefined) =>
  new AppError('conflict', 'PAYOUT_MOVED_ON', `The payout is ${actual ?? 'gone'}.`);

export const transactionAlreadyCompleted = () =>
  new AppError('conflict', 'TRANSACTION_ALREADY_COMPLETED', 'Transaction has already been completed');

/**
 * The payout failed because the same payment was made, unasked, between the day it was accepted and the time it was to
 * be paid.
 */
export const REPEATED = 'PAYOUT_DUPLICATE';

/** @param duplicate what is repeated, from `duplicateProblem`. */
export function payoutDuplicate(duplicate: ProblemData): AppError {
  const shown = payoutProblems.shown(duplicate);
  const message = `${shown.message} Send allowDuplicate: true if it is meant twice.`;
  return new AppError('conflict', 'PAYOUT_DUPLICATE', message, { problems: [shown] });
}
