import { AppError } from '../platform/errors.ts';

export const walletProviderNotSet = () =>
  new AppError(
    'refused',
    'WALLET_PROVIDER_NOT_SET',
    'No provider opens account numbers for wallets in this mode. Please contact support.',
  );

export const virtualAccountNotFound = () =>
  new AppError('not_found', 'VIRTUAL_ACCOUNT_NOT_FOUND', 'There is no request for an account number with this id.');

export const virtualAccountEnded = (status: string | undefined) =>
  new AppError(
    'conflict',
    'VIRTUAL_ACCOUNT_ENDED',
    `This request for an account number is ${status ?? 'gone'} already.`,
  );
