import { AppError } from '../platform/errors.ts';

export const customerNotFound = () =>
  new AppError('not_found', 'CUSTOMER_NOT_FOUND', 'There is no customer with this id.');

/** Another change of the customer came first. Whoever made this one looks again. */
export const customerChanged = () =>
  new AppError(
    'conflict',
    'CUSTOMER_CHANGED',
    'The customer was changed by another request. Read it again and repeat yours.',
    {
      retryable: true,
    },
  );
