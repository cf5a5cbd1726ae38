import { AppError } from '../platform/errors.ts';

export const payoutOfNobody = () =>
  new AppError('not_found', 'PAYOUT_NOT_FOUND', 'No merchant has a payout with this reference.');
