import type { RecordOf } from '../api/types.ts';

export type InboundPayment = RecordOf<'/collection/payment'>;

/** What a payment in is, in a merchant's words. */
export const PAYMENT_WORDS = {
  CREDITED: 'In your wallet',
  PENDING_SETTLEMENT: 'Pending settlement',
  SUSPENSE: 'Held',
  RETURNED: 'Sent back',
  KEPT: 'Kept by the operator',
} as const;

const REASONS: Readonly<Record<string, string>> = {
  SHORT: 'It is less than its payment session asked for.',
  OVERPAID: 'It is more than its payment session asked for.',
  LATE: 'It came after its payment session had ended.',
  SECOND_PAYMENT: 'Its payment session was paid before.',
  UNDER_REVIEW: 'Your operator looks into it before it is credited. The money is safe.',
  TIER_LIMIT: 'It is above the limit of your verification tier. Your operator decides what becomes of it.',
  ACCOUNT_CLOSED: 'It was paid to an account number that is closed. Your operator decides what becomes of it.',
  MERCHANT_SUSPENDED: 'It arrived while your account was suspended. Your operator decides what becomes of it.',
};

/** Why it is held or odd; null where there is nothing to say. */
export function reasonWord(reason: string | null): string | null {
  return reason === null ? null : (REASONS[reason] ?? 'Your operator is looking into it.');
}
