import type { InboundPaymentRow } from '../collections/index.ts';
import { setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** The payment that a payout refunds; none where it refunds none, whatever its purpose says. */
export const findRefundOfPayout = statement<{ payment_id: string }>(
  'find-refund-of-payout',
  'select payment_id from refunds where merchant_id = $1 and mode = $2 and payout_id = $3',
);

/** The facts of a payment that a freeze may be about. */
export type FreezablePayment = Pick<
  InboundPaymentRow,
  | 'id'
  | 'provider_transaction_id'
  | 'provider_reference'
  | 'session_id'
  | 'payer_name'
  | 'payer_account_number'
  | 'account_number'
>;

/** The payments that these payouts of a merchant refund. $3 payouts. */
export const listRefundedPayments = statement<FreezablePayment & { payout_id: string }>(
  'list-payments-that-payouts-refund',
  `select r.payout_id, p.id, p.provider_transaction_id, p.provider_reference, p.session_id, p.payer_name, p.payer_account_number,
          p.account_number
     from refunds r
     join inbound_payments p on p.merchant_id = r.merchant_id and p.mode = r.mode and p.id = r.payment_id
    where r.merchant_id = $1 and r.mode = $2 and r.payout_id = any($3::uuid[])`,
);

/**
 * Of these payments, those with a failed refund that is before the operator, itself or by its payout: it may have been
 * sent.
 */
export const findUncertainPayments = setQuestion<
  { merchant_id: string; mode: Mode; payment_id: string },
  { place: number }
>(
  'find-payments-with-uncertain-refunds',
  { merchant_id: 'uuid', mode: 'text', payment_id: 'uuid' },
  `select distinct rows.place::int as place
     from :rows
     join refunds r on r.merchant_id = rows.merchant_id and r.mode = rows.mode and r.payment_id = rows.payment_id
     left join payouts p on p.merchant_id = r.merchant_id and p.mode = r.mode and p.id = r.payout_id
    where r.status = 'FAILED' and (r.operator_reason is not null or p.operator_reason is not null)`,
);

/** The payout of a refund has moved on: the job of due refunds takes it next. */
export const updateRefundsOfPayouts = setStatement<{
  merchant_id: string;
  mode: Mode;
  payout_id: string;
  due_at: Date;
}>(
  'update-refunds-of-payouts',
  { merchant_id: 'uuid', mode: 'text', payout_id: 'uuid', due_at: 'timestamptz' },
  `update refunds r set due_at = rows.due_at, next_step = 'FOLLOW', lease_id = null
     from :rows where r.merchant_id = rows.merchant_id and r.mode = rows.mode and r.payout_id = rows.payout_id`,
);
