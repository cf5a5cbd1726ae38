import { AppError } from '../platform/errors.ts';

export const storeNotFound = () => new AppError('not_found', 'STORE_NOT_FOUND', 'There is no store with this id.');
