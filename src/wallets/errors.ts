import { AppError } from '../platform/errors.ts';

export const walletNotFound = () => new AppError('not_found', 'WALLET_NOT_FOUND', 'There is no wallet with this id.');
