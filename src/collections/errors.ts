import { AppError } from '../platform/errors.ts';

export const creditTaken = () =>
  new AppError('conflict', 'CREDIT_TAKEN', 'This transfer was credited before, as a payment of its own.');

/** Another transfer, which has this one's session id, is in the books: one of the two is not what it seems. */
export const sessionIdTaken = () =>
  new AppError('conflict', 'SESSION_ID_TAKEN', 'Another transfer with this session id was credited before.');

export const inboundPaymentNotFound = () =>
  new AppError('not_found', 'INBOUND_PAYMENT_NOT_FOUND', 'There is no payment in with this id.');

/** A movement was decided by what a payment was, and it is something else: it is decided anew. Never returned to a client. */
export const paymentChanged = () =>
  new AppError('conflict', 'PAYMENT_CHANGED', 'The payment has changed meanwhile. Please try again.');
