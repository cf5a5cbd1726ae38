import { AppError } from '../platform/errors.ts';

export const requeryTooOften = (retryAfterSeconds: number) =>
  new AppError(
    'rate_limited',
    'REQUERY_TOO_OFTEN',
    'The bank was asked about this payout a moment ago, and has not said more. It is asked again by itself; you can ask in a minute.',
    { retryAfterSeconds },
  );
