import { stateMachine } from '../ledger/index.ts';

export const SESSION_STATUSES = [
  'OPENING',
  'OPEN',
  'PARTIALLY_PAID',
  'PAID',
  'EXPIRED',
  'CANCELLED',
  'FAILED',
] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/**
 * Money may arrive before the provider's answer is kept, so a session can be paid without having been open. An expired
 * or cancelled session stays so, whatever arrives.
 */
export const paymentSessionStates = stateMachine<SessionStatus>('payment_session', 'payment_sessions', {
  OPENING: ['OPEN', 'PARTIALLY_PAID', 'PAID', 'CANCELLED', 'FAILED'],
  OPEN: ['PARTIALLY_PAID', 'PAID', 'EXPIRED', 'CANCELLED'],
  PARTIALLY_PAID: ['PAID', 'EXPIRED', 'CANCELLED'],
  PAID: [],
  EXPIRED: [],
  CANCELLED: [],
  FAILED: [],
});

/** Whether a payer can pay it now and is shown how. */
export function isPayable(status: SessionStatus): boolean {
  return status === 'OPEN' || status === 'PARTIALLY_PAID';
}

/** Whether its state can change no more. */
export function isConclusive(status: SessionStatus): boolean {
  return status !== 'OPENING' && !isPayable(status);
}
