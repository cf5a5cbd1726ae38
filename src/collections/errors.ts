import { AppError } from '../platform/errors.ts';

export const creditTaken = () =>
  new AppError('conflict', 'CREDIT_TAKEN', 'This transfer was credited before, as a payment of its own.');

export const inboundPaymentNotFound = () =>
  new AppError('not_found', 'INBOUND_PAYMENT_NOT_FOUND', 'There is no payment in with this id.');
