import { AppError } from '../platform/errors.ts';

export const subaccountNotFound = () =>
  new AppError('not_found', 'SUBACCOUNT_NOT_FOUND', 'There is no subaccount with this id.');
