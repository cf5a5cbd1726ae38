import { AppError } from '../platform/errors.ts';

export function searchTooShort(): AppError {
  const message = 'Search for at least two letters, four digits, or an amount.';
  return new AppError('invalid', 'SEARCH_TOO_SHORT', message, { errors: [{ field: 'q', message }] });
}
