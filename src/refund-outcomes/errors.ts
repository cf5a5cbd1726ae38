import { AppError } from '../platform/errors.ts';

export const refundNotUndecided = (status: string, outcome: string) =>
  new AppError(
    'conflict',
    'REFUND_NOT_UNDECIDED',
    `The refund is ${status}: it cannot be decided to have ${outcome}. One that its provider was asked for and whose outcome ` +
      'is unknown may be decided either way; an end that the provider contradicts can be confirmed as it is.',
  );

export const refundIsPayout = () =>
  new AppError(
    'conflict',
    'REFUND_NOT_UNDECIDED',
    'This refund goes out as a payout, and ends as that does: decide the payout.',
  );

export const refundInHand = () =>
  new AppError(
    'conflict',
    'REFUND_IN_HAND',
    'The provider is being asked about this refund at this moment. Please try again in a minute.',
    { retryAfterSeconds: 60 },
  );
