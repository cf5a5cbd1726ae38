import { setStatement, statement } from '../platform/db/statement.ts';

/** The payment that a payout refunds; none where it refunds none, whatever its purpose says. */
export const findRefundOfPayout = statement<{ payment_id: string }>(
  'find-refund-of-payout',
  'select payment_id from refunds where merchant_id = $1 and mode = $2 and payout_id = $3',
);

/** The payout of a refund has moved on: whoever looks at due refunds sees it. */
export const updateRefundsOfPayouts = setStatement<{
  merchant_id: string;
  mode: string;
  payout_id: string;
  due_at: Date;
}>(
  'update-refunds-of-payouts',
  { merchant_id: 'uuid', mode: 'text', payout_id: 'uuid', due_at: 'timestamptz' },
  `update refunds r set due_at = rows.due_at, next_step = 'FOLLOW', lease_id = null
     from :rows where r.merchant_id = rows.merchant_id and r.mode = rows.mode and r.payout_id = rows.payout_id`,
);
