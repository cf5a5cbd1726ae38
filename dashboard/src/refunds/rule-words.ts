import type { Data } from '../api/types.ts';

export type RefundRule = Data<'get', '/collection/refund/rule'>;
export type PaymentToRefund = Data<'get', '/collection/refund/rule/payment'>['records'][number];

export const RULE_WAYS: Record<RefundRule['late'], string> = {
  OFF: 'Stays in the wallet',
  PROVIDER: 'Goes back by the provider of the payment',
  PAYOUT: 'Goes back as a payout to the account it came from',
};

export const TO_REFUND_WORDS: Record<PaymentToRefund['status'], string> = {
  WAITING: 'Waiting',
  REFUNDED: 'Refunded',
  LEFT: 'Left',
  REFUSED: 'Refund it by hand',
};

export const CAUSES: Record<PaymentToRefund['cause'], string> = {
  LATE: 'It came after its session had ended',
  EXCESS: 'It was more than was asked for',
};

const REASONS: Record<string, string> = {
  OTHER_PAYMENT_GONE:
    'What was paid before it for its session went back, so it may be owed. Refund by hand what is not.',
  PAID_IN_TIME: 'It was paid before its session expired, and reported after that. Deliver, or refund it by hand.',
  INSUFFICIENT_FUNDS: 'The wallet had too little for a week.',
  DAILY_LIMIT_EXCEEDED: 'The limit of the day was reached for a week.',
  REFUNDS_NOT_ENABLED: 'Refunds were switched off for a week.',
  PAYOUT_NOT_POSSIBLE: 'The payout was not possible for a week.',
  REFUND_ACCOUNT_NEEDED: 'The provider does not say from which account it came.',
  REFUND_WAY_UNAVAILABLE: 'The provider of the payment sends no refunds.',
  REFUND_NOT_PARTIAL: 'The provider refunds all of a payment or nothing.',
  REFUND_TOO_SMALL: 'It is less than the provider refunds.',
  ACCOUNT_NOT_FOUND: 'The bank does not know the account that it came from.',
};

/** Why the rule could not send it back; while it waits, what for. */
export function whyOf({ status, reason }: PaymentToRefund): string {
  if (status === 'WAITING') return 'It is refunded as soon as it is in the wallet, and the wallet has enough.';
  return REASONS[reason ?? ''] ?? 'It could not be sent back.';
}
