import { type Currency, formatMoney } from '../../money/index.ts';
import { AppError } from '../../platform/errors.ts';

export const payoutLimitExceeded = (limitMinor: bigint, currency: Currency) =>
  new AppError(
    'refused',
    'PAYOUT_LIMIT_EXCEEDED',
    `This is more than one payout may be: at most ${formatMoney(limitMinor, currency)}. Please contact support for more.`,
  );

/** `leftMinor` is below zero where the limit was lowered beneath what is used. */
export function dailyLimitExceeded(limitMinor: bigint, leftMinor: bigint, currency: Currency): AppError {
  const [limit, used, left] = [limitMinor, limitMinor - leftMinor, leftMinor < 0n ? 0n : leftMinor].map((minor) =>
    formatMoney(minor, currency),
  );
  return new AppError(
    'refused',
    'DAILY_LIMIT_EXCEEDED',
    `This is more than is left for the day: ${limit} may be paid out a day, ${used} is used and ${left} is left. ` +
      'A new day begins at midnight in Lagos.',
  );
}

export function payoutDuplicate(amount: string, transactionId: string, windowMs: number): AppError {
  return new AppError(
    'conflict',
    'PAYOUT_DUPLICATE',
    `The same amount, ${amount}, was paid to this account less than ${durationText(windowMs)} ago: transaction ` +
      `${transactionId}. Send allowDuplicate: true if it is meant twice.`,
  );
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
