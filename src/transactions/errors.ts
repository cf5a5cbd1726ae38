import { AppError } from '../platform/errors.ts';

export const transactionNotFound = () =>
  new AppError('not_found', 'TRANSACTION_NOT_FOUND', 'There is no transaction with this id.');
