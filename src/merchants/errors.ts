import { AppError } from '../platform/errors.ts';
import { type MerchantStatus, SERVICE_KEYS } from './services.ts';

export function merchantNotFound(): AppError {
  return new AppError('not_found', 'MERCHANT_NOT_FOUND', 'There is no merchant with this id.');
}

export function merchantStatusConflict(action: string, status: MerchantStatus): AppError {
  return new AppError(
    'conflict',
    'MERCHANT_STATUS_CONFLICT',
    `A merchant that is ${status} cannot be changed by "${action}".`,
  );
}

export function serviceUnknown(key: string): AppError {
  return new AppError(
    'invalid',
    'SERVICE_UNKNOWN',
    `There is no service ${key}. The services are ${SERVICE_KEYS.join(', ')}.`,
  );
}

export const merchantChangeNotFound = () =>
  new AppError('not_found', 'MERCHANT_CHANGE_NOT_FOUND', 'Nothing is kept of what this decision was about.');
