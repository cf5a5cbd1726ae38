import { AppError } from '../platform/errors.ts';
import { RAIL_ERRORS } from '../rail-accounts/index.ts';

/** What a request may be refused with that asks a bank for the name on an account. */
export const NAME_ENQUIRY_ERRORS = [
  'BANK_NOT_FOUND',
  'ACCOUNT_NOT_FOUND',
  'NAME_ENQUIRY_UNAVAILABLE',
  ...RAIL_ERRORS,
] as const;

export const bankNotFound = (code: string) =>
  new AppError('refused', 'BANK_NOT_FOUND', `There is no bank with the code ${code} that takes payouts.`);

export const accountNotFound = (accountNumber: string, bankName: string) =>
  new AppError('refused', 'ACCOUNT_NOT_FOUND', `${bankName} has no account ${accountNumber}.`);

export const nameEnquiryUnavailable = (bankName: string) =>
  new AppError(
    'unavailable',
    'NAME_ENQUIRY_UNAVAILABLE',
    `${bankName} did not say whose account this is. Please try again shortly.`,
    { retryAfterSeconds: 5 },
  );

export const railNotConfigured = () =>
  new AppError(
    'unavailable',
    'RAIL_NOT_CONFIGURED',
    'There is no connection to a bank in this mode yet. Please contact support.',
  );
