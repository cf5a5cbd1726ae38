import { type Currency, formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';

/** One text for a session of nobody, of somebody else, and for a wrong client secret: a guess learns nothing. */
export const sessionNotFound = () =>
  new AppError('not_found', 'PAYMENT_SESSION_NOT_FOUND', 'There is no payment session with this id.');

/** @param options `retryable` before it is known whether the other session was asked for alike */
export const sessionReferenceTaken = (options: { retryable?: true } = {}) =>
  new AppError(
    'conflict',
    'PAYMENT_SESSION_REFERENCE_TAKEN',
    'You have used this reference for another payment session. Each session needs its own.',
    options,
  );

/** Another change of the session was committed first: the author of this one has to read it again. */
export const sessionChanged = () =>
  new AppError(
    'conflict',
    'PAYMENT_SESSION_CHANGED',
    'The payment session was changed by another request. Read it again and repeat yours.',
    {
      retryable: true,
    },
  );

export const sessionEnded = (status: string) =>
  new AppError('conflict', 'PAYMENT_SESSION_ENDED', `This payment session is ${status} already.`);

export const sessionCheckedLately = (seconds: number) =>
  new AppError(
    'rate_limited',
    'PAYMENT_SESSION_CHECKED_LATELY',
    'The provider was asked a moment ago. Please wait a little.',
    {
      retryAfterSeconds: seconds,
    },
  );

export const collectionNotOffered = () =>
  new AppError(
    'refused',
    'COLLECTION_NOT_OFFERED',
    'Payments cannot be collected in this mode yet. Please contact support.',
  );

export const channelNotOffered = () =>
  new AppError('refused', 'CHANNEL_NOT_OFFERED', 'None of these channels is offered at the moment.');

export const amountRuleNotOffered = () =>
  new AppError(
    'refused',
    'AMOUNT_RULE_NOT_OFFERED',
    'The provider sends other amounts back by itself: only the amountRule EXACT is offered.',
  );

export const publicSessionsOff = () =>
  new AppError(
    'forbidden',
    'PUBLIC_PAYMENT_SESSIONS_OFF',
    'Public keys may not create payment sessions. Allow it in the collection settings first.',
  );

export const originNotAllowed = () =>
  new AppError(
    'forbidden',
    'ORIGIN_NOT_ALLOWED',
    'This page is not in the allowed origins of the collection settings.',
  );

export const returnHostNotAllowed = () =>
  new AppError(
    'refused',
    'RETURN_HOST_NOT_ALLOWED',
    'A public key may return payers only to the hosts of the collection settings.',
  );

export const sessionAmountTooLarge = (maxMinor: bigint, currency: Currency) =>
  new AppError(
    'refused',
    'PAYMENT_SESSION_AMOUNT_TOO_LARGE',
    `A payment session by a public key may ask for at most ${formatMoney(maxMinor, currency)}.`,
  );

export const sessionsTooMany = () =>
  new AppError(
    'rate_limited',
    'PAYMENT_SESSIONS_TOO_MANY',
    'Too many payment sessions were created from browsers lately.',
    {
      retryAfterSeconds: 60,
    },
  );

export const settingsIncomplete = () =>
  new AppError(
    'refused',
    'COLLECTION_SETTINGS_INCOMPLETE',
    'Public keys need allowedOrigins and maxAmount: anybody can read such a key in a page.',
  );
