import { AppError } from '../platform/errors.ts';

export const beneficiaryNotFound = () =>
  new AppError('not_found', 'BENEFICIARY_NOT_FOUND', 'There is no beneficiary with this id.');

export const beneficiaryExists = () =>
  new AppError('conflict', 'BENEFICIARY_EXISTS', 'This account is one of your beneficiaries already.');

export const beneficiaryRemoved = () =>
  new AppError('conflict', 'BENEFICIARY_ALREADY_REMOVED', 'This beneficiary has been removed already.');

export const railNotConfigured = () =>
  new AppError(
    'unavailable',
    'RAIL_NOT_CONFIGURED',
    'There is no connection to a bank in this mode yet. Please contact support.',
  );
