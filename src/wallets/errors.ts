import { AppError } from '../platform/errors.ts';

export const walletNotFound = () => new AppError('not_found', 'WALLET_NOT_FOUND', 'There is no wallet with this id.');

/** The caller generates another number. */
export const accountNumberTaken = () =>
  new AppError('conflict', 'ACCOUNT_NUMBER_TAKEN', 'Somebody has this account number already.', { retryable: true });

export const noWalletOfNumber = () =>
  new AppError('not_found', 'WALLET_NOT_FOUND', 'No wallet has this account number in this mode.');

export const accountNumberAmbiguous = () => {
  const message = 'Two wallets have this account number, each at another bank. Give the code of the bank too.';
  return new AppError('conflict', 'ACCOUNT_NUMBER_AMBIGUOUS', message, { errors: [{ field: 'bankCode', message }] });
};
