import { AppError } from '../../platform/errors.ts';
import { batchReferenceOf } from '../../transactions/index.ts';
import { lagosTimeText } from '../lagos-time-text.ts';
import type { TakenKey } from './queries.ts';

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
