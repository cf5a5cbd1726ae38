import { AppError } from '../platform/errors.ts';

export const bankNotFound = (code: string) =>
  new AppError(
    'refused',
    'BANK_NOT_FOUND',
    `There is no bank with the code ${code} that takes payouts. See GET /bank.`,
  );

export const accountNotFound = (bankName: string) =>
  new AppError('refused', 'ACCOUNT_NOT_FOUND', `${bankName} has no account with this number.`);

export const nameEnquiryUnavailable = () =>
  new AppError(
    'unavailable',
    'NAME_ENQUIRY_UNAVAILABLE',
    'The bank did not say who owns this account. Nothing was paid; please try again shortly.',
    { retryAfterSeconds: 5 },
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

/** For the pipeline: somebody else moved the payout on first. Never told to a client. */
export const payoutMovedOn = (actual: string | undefined) =>
  new AppError('conflict', 'PAYOUT_MOVED_ON', `The payout is ${actual ?? 'gone'}.`);

export const transactionAlreadyCompleted = () =>
  new AppError('conflict', 'TRANSACTION_ALREADY_COMPLETED', 'Transaction has already been completed');
