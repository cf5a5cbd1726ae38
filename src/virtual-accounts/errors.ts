import { AppError } from '../platform/errors.ts';

export const walletProviderNotSet = () =>
  new AppError(
    'refused',
    'WALLET_PROVIDER_NOT_SET',
    'No provider opens account numbers for wallets in this mode. Please contact support.',
  );

export const virtualAccountEnded = (status: string | undefined) =>
  new AppError(
    'conflict',
    'VIRTUAL_ACCOUNT_ENDED',
    `This request for an account number is ${status ?? 'gone'} already.`,
  );
