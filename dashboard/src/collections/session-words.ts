import type { RecordOf } from '../api/types.ts';

export type PaymentSession = RecordOf<'/collection/session'>;

/** What a payment session is, in a merchant's words. */
export const SESSION_WORDS = {
  OPENING: 'Being opened',
  OPEN: 'Waiting for the payer',
  PARTIALLY_PAID: 'Partly paid',
  PAID: 'Paid',
  EXPIRED: 'Expired',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
} as const;

export const NOTE_WORDS = {
  SHORT: 'Too little',
  OVERPAID: 'Too much',
  LATE: 'After its end',
  SECOND_PAYMENT: 'It was paid already',
} as const;

export const OPENED_BY_WORDS = {
  SECRET_KEY: 'Your server',
  PUBLIC_KEY: 'A browser, with a public key',
  PERSON: 'A person',
  LINK: 'A payer, under a payment link',
} as const;
