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
