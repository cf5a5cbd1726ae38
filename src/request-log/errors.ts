import { AppError } from '../platform/errors.ts';

export const requestNotFound = () =>
  new AppError('not_found', 'REQUEST_NOT_FOUND', 'There is no request with this id in the log. It is kept for a week.');
