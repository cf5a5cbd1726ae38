import { FEE_ERRORS } from '../fees/index.ts';
import { AppError } from '../platform/errors.ts';
import type { ProblemData } from '../platform/problem.ts';
import { payoutProblems } from './problems.ts';

/** What may be refused where money is held to be paid out, one payout or many. */
export const PAYMENT_ERRORS = [
  'INSUFFICIENT_FUNDS',
  'PAYOUT_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  'APPROVAL_RULES_CHANGED',
  ...FEE_ERRORS,
] as const;

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

/** For the pipeline: somebody else moved the payout on first. Never returned to a client. */
export const payoutMovedOn = (actual: string | undefined) =>
  new AppError('conflict', 'PAYOUT_MOVED_ON', `The payout is ${actual ?? 'gone'}.`);

export const transactionAlreadyCompleted = () =>
  new AppError('conflict', 'TRANSACTION_ALREADY_COMPLETED', 'Transaction has already been completed');

/** Why a payout failed that the same was paid for, unasked, between the day it was accepted and the moment it was to be paid. */
export const REPEATED = 'PAYOUT_DUPLICATE';

/** @param duplicate what is repeated, from `duplicateProblem`. */
export function payoutDuplicate(duplicate: ProblemData): AppError {
  const problem = payoutProblems.shown(duplicate);
  const message = `${problem.message} Send allowDuplicate: true if it is meant twice.`;
  return new AppError('conflict', 'PAYOUT_DUPLICATE', message, { problems: [problem] });
}
