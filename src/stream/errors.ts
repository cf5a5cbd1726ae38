import { AppError } from '../platform/errors.ts';

const RETRY_AFTER_SECONDS = 30;

/** So many streams are open already: of this person, of the business, or of the whole process. */
export const streamsTooMany = (whose: string) =>
  new AppError(
    'rate_limited',
    'STREAMS_TOO_MANY',
    `Too many pages of ${whose} are open. This one looks from time to time.`,
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );

export const streamStopping = () =>
  new AppError('unavailable', 'SERVICE_UNAVAILABLE', 'The service is stopping. Please try again shortly.', {
    retryAfterSeconds: 2,
  });
