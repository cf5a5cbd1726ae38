import { AppError } from '../platform/errors.ts';

export const virtualAccountEnded = (status: string | undefined) =>
  new AppError(
    'conflict',
    'VIRTUAL_ACCOUNT_ENDED',
    `This request for an account number is ${status ?? 'gone'} already.`,
  );

export const walletProviderNotFound = (name: string, mode: string) =>
  new AppError(
    'not_found',
    'WALLET_PROVIDER_NOT_FOUND',
    `There is no provider account "${name}" in ${mode} that is on.`,
  );

export const walletProviderUnable = (name: string) =>
  new AppError(
    'refused',
    'WALLET_PROVIDER_UNABLE',
    `"${name}" opens no account numbers for wallets: its provider cannot, or its credentials lack what that needs.`,
  );
