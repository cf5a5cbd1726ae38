import { AppError } from '../platform/errors.ts';

export const virtualAccountEnded = (status: string | undefined) =>
  new AppError(
    'conflict',
    'VIRTUAL_ACCOUNT_ENDED',
    `This request for an account number is ${status ?? 'gone'} already.`,
  );
