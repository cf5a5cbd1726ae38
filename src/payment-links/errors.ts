import { AppError } from '../platform/errors.ts';
import type { LinkStatus } from './queries.ts';

export const linkNotFound = () =>
  new AppError('not_found', 'PAYMENT_LINK_NOT_FOUND', 'There is no payment link with this id.');

/** Another change of the link came first. */
export const linkChanged = () =>
  new AppError(
    'conflict',
    'PAYMENT_LINK_CHANGED',
    'The payment link was changed by another request. Read it again and repeat yours.',
    {
      retryable: true,
    },
  );

/** To a payer, who is shown a page that says why. */
export const linkClosed = (status: Exclude<LinkStatus, 'ACTIVE'> | 'UNAVAILABLE') =>
  new AppError('conflict', 'PAYMENT_LINK_CLOSED', `This payment link takes no payments: it is ${status}.`);
