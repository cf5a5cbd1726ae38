import type { RecordOf } from '../api/types.ts';
import { formatMoney } from '../format/money.ts';

export type PaymentLink = RecordOf<'/collection/link'>;

/** What a payment link is, in a merchant's words. */
export const LINK_WORDS = {
  ACTIVE: 'Active',
  INACTIVE: 'Switched off',
  EXPIRED: 'Expired',
  USED_UP: 'Fully paid',
} as const;

export const ASKED_WORDS = {
  REQUIRED: 'Required',
  OPTIONAL: 'Optional',
  NOT_ASKED: 'Not asked for',
} as const;

/** What its payers pay. */
export function amountWords({ amount, minAmount, maxAmount, currency }: PaymentLink): string {
  if (amount !== null) return formatMoney(amount, currency);
  return `${formatMoney(minAmount ?? 0, currency)} to ${formatMoney(maxAmount ?? 0, currency)}`;
}

export function paymentsWords({ paidSessions, maxPayments }: PaymentLink): string {
  return maxPayments === null ? String(paidSessions) : `${paidSessions} of ${maxPayments}`;
}
