import { AppError } from '../platform/errors.ts';

export const receiptNotPaid = () =>
  new AppError('conflict', 'RECEIPT_NOT_PAID', 'There is a receipt only of a payout that the bank has confirmed.');

export const receiptReturned = () =>
  new AppError(
    'conflict',
    'RECEIPT_RETURNED',
    'The bank returned the money of this payout, so there is no receipt of it.',
  );

/** The same for a link that was never made, has expired or was revoked: nobody learns which. */
export const receiptLinkNotFound = () =>
  new AppError('not_found', 'RECEIPT_LINK_NOT_FOUND', 'There is no link to a receipt with this id.');

export const receiptLinksTooMany = (most: number) =>
  new AppError(
    'refused',
    'RECEIPT_LINKS_TOO_MANY',
    `One receipt has at most ${most} links at a time. Revoke one that is not needed any more.`,
  );

/** @param cause why none could be drawn at all, for the log */
export const receiptsBusy = (cause?: unknown) =>
  new AppError('unavailable', 'RECEIPTS_BUSY', 'Many receipts are being made. Please try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });
