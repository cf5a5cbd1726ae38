import { FEE_ERRORS } from '../fees/index.ts';
import { AppError } from '../platform/errors.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import type { TakenKey } from './dedupe-key-queries.ts';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Africa/Lagos' });

/** For people: `24 December 2026 at 09:00, Lagos time`. */
export function lagosTimeText(at: Date): string {
  return `${format.format(at)}, Lagos time`;
}

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

export const railNotFound = () => new AppError('not_found', 'RAIL_NOT_FOUND', 'There is no such rail in this mode.');

export const providerWebhookEmpty = () => new AppError('invalid', 'BODY_MISSING', 'A provider webhook needs a body.');

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

/** @param amount as people read it. */
export function payoutDuplicate(amount: string, taken: TakenKey, windowMs: number, at: Date): AppError {
  return new AppError(
    'conflict',
    'PAYOUT_DUPLICATE',
    `${earlierOf(amount, taken, windowMs, at)} Send allowDuplicate: true if it is meant twice.`,
  );
}

function earlierOf(amount: string, taken: TakenKey, windowMs: number, at: Date): string {
  const { scope, subject_id, batch_id, position, batch_status, from_at } = taken;
  const same = `The same amount, ${amount}, `;
  const by = batch_id === null ? '' : ` by bulk payout ${batchReferenceOf(batch_id)}`;
  if (position !== null) {
    const becomes = batch_status === 'PENDING_APPROVAL' ? 'waits for approval' : 'is being paid';
    return `${same}to this account stands in row ${position} of bulk payout ${batchReferenceOf(batch_id ?? '')}, which ${becomes}.`;
  }
  if (scope === 'WAITING') return `${same}to this account waits for approval: transaction ${subject_id}.`;
  if (scope !== 'PAID') {
    return `${same}was scheduled for this account on the same day less than ${durationText(windowMs)} ago: transaction ${subject_id}.`;
  }
  if (from_at > at) {
    return `${same}is scheduled for this account on ${lagosTimeText(from_at)}: transaction ${subject_id}.`;
  }
  return `${same}was paid to this account less than ${durationText(windowMs)} ago${by}: transaction ${subject_id}.`;
}

const UNITS: readonly [string, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

function durationText(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, unitMs]) => milliseconds >= unitMs && milliseconds % unitMs === 0) ?? [
    'second',
    1_000,
  ];
  const count = Math.ceil(milliseconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
