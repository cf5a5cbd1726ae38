import { type Currency, formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';

export const sandboxOnly = () =>
  new AppError('forbidden', 'SANDBOX_ONLY', 'This operation is for sandbox keys; live money comes from a bank.');

export const clockLimitExceeded = (maxSeconds: number, leftSeconds: number) =>
  new AppError(
    'refused',
    'SANDBOX_CLOCK_LIMIT',
    `A sandbox is moved forward by at most ${maxSeconds} seconds in a calendar year, and ${leftSeconds} are left of them.`,
  );

export const fundingTooLarge = (maxMinor: bigint, currency: Currency) =>
  new AppError('refused', 'SANDBOX_FUNDING_TOO_LARGE', `One funding takes at most ${formatMoney(maxMinor, currency)}.`);

export const nothingToSettle = () =>
  new AppError(
    'conflict',
    'SANDBOX_NOTHING_TO_SETTLE',
    'The sandbox bank has nothing to settle: all that was paid is in a settlement already.',
  );

export const walletFull = (maxMinor: bigint, currency: Currency) =>
  new AppError('refused', 'SANDBOX_WALLET_FULL', `A sandbox wallet holds at most ${formatMoney(maxMinor, currency)}.`);

/** The same for a number of another merchant, of live mode, and of nobody. */
export const accountNumberNotFound = () =>
  new AppError('not_found', 'WALLET_NOT_FOUND', 'None of your sandbox wallets has this account number.');
