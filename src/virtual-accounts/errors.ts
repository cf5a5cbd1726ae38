import { AppError, type FieldError } from '../platform/errors.ts';

export const walletProviderNotSet = () =>
  new AppError(
    'refused',
    'WALLET_PROVIDER_NOT_SET',
    'No provider opens account numbers in this mode. Please contact support.',
  );

export const virtualAccountNotFound = () =>
  new AppError('not_found', 'VIRTUAL_ACCOUNT_NOT_FOUND', 'There is no account with this id.');

export const virtualAccountEnded = (status: string | undefined) =>
  new AppError(
    'conflict',
    'VIRTUAL_ACCOUNT_ENDED',
    `This request for an account number is ${status ?? 'gone'} already.`,
  );

export const virtualAccountNotOpen = () =>
  new AppError(
    'conflict',
    'VIRTUAL_ACCOUNT_NOT_OPEN',
    'The account number is still being opened. Close it once it is open.',
  );

export const virtualAccountOfWallet = () =>
  new AppError(
    'refused',
    'VIRTUAL_ACCOUNT_OF_WALLET',
    'This is the account number of the wallet itself, which is never closed. Only those of customers are.',
  );

/** What the provider asks for before it opens an account in somebody's name. */
export const customerDetailsMissing = (errors: readonly FieldError[]) =>
  new AppError(
    'refused',
    'CUSTOMER_DETAILS_MISSING',
    'The provider needs more of this customer before it opens an account: see errors.',
    { errors },
  );

/** Another request for the same account was committed first: the author of this one has to look again. */
export const accountRequestedMeanwhile = () =>
  new AppError('conflict', 'VIRTUAL_ACCOUNT_REQUESTED', 'The same account was asked for at the same moment.', {
    retryable: true,
  });
