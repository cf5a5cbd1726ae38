import { type Currency, formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';

/**
 * @param availableMinor what the account had before the movement, in minor units
 * @param neededMinor said where it is more than the one amount that the caller named, such as that with its charges
 */
export function insufficientFunds(availableMinor: bigint, currency: Currency, neededMinor?: bigint): AppError {
  const available = formatMoney(availableMinor < 0n ? 0n : availableMinor, currency);
  const needed = neededMinor === undefined ? '' : `, and ${formatMoney(neededMinor, currency)} is needed in all`;
  return new AppError('refused', 'INSUFFICIENT_FUNDS', `Insufficient funds: ${available} is available${needed}.`);
}

export const idempotencyKeyReused = () =>
  new AppError(
    'refused',
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another request. Use a new key for a new request.',
  );

export const idempotencyKeyArchived = (transactionId: string) =>
  new AppError(
    'refused',
    'IDEMPOTENCY_KEY_ARCHIVED',
    `The request with this Idempotency-Key was carried out long ago, as the transaction ${transactionId}, and its answer is archived. Nothing was done again. Use a new key for a new request.`,
  );

export const eventsArchived = (upTo: bigint) =>
  new AppError(
    'refused',
    'EVENTS_ARCHIVED',
    `Some of these events are archived: those of transfers between wallets up to ${upTo}. Read on with after=${upTo}, or name another type.`,
  );

export const holdAlreadyResolved = () =>
  new AppError('conflict', 'HOLD_ALREADY_RESOLVED', 'This hold has already been posted or voided.');

export const ledgerBusy = () =>
  new AppError('unavailable', 'LEDGER_BUSY', 'Too many requests are waiting. Please try again in a moment.', {
    retryAfterSeconds: 1,
  });

export const outcomeUnknown = (cause: unknown) =>
  new AppError(
    'unavailable',
    'OUTCOME_UNKNOWN',
    'The database did not answer while saving. Send the same request with the same Idempotency-Key to learn its outcome.',
    { retryAfterSeconds: 5, cause },
  );

/** What is stored is damaged. @param event its id, or its number and whose it is */
export const unreadableEvent = (event: string) =>
  new Error(`the text of event ${event} cannot be read: npm run verify says why`);
