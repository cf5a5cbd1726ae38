import { statement } from '../../../platform/db/statement.ts';
import type { TransactionStatus } from '../../../transactions/index.ts';
import type { ItemRow } from '../queries.ts';

export interface RejectedRow extends ItemRow {
  given_amount: string | null;
}

/** Items that cannot be paid, in the order in which they were given, after a position. */
export const listRejectedItems = statement<RejectedRow>(
  'list-rejected-batch-items',
  `select * from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and position > $4 and not is_valid and validated_at is not null
    order by position limit $5`,
);

/** With its payout, once it has become one: before that, its columns are null. */
export interface ResultRow extends RejectedRow {
  payout_status: TransactionStatus | null;
  payout_reason: string | null;
  paid_at: Date | null;
  fee_minor: bigint | null;
  vat_minor: bigint | null;
  stamp_duty_minor: bigint | null;
  session_id: string | null;
  rail_code: string | null;
}

/** Every item with what became of it, in the order in which they were given, after a position. */
export const listItemResults = statement<ResultRow>(
  'list-batch-item-results',
  `select i.*, t.status as payout_status, t.reason as payout_reason, t.paid_at, p.fee_minor, p.vat_minor,
          p.stamp_duty_minor, p.session_id, p.rail_code
     from batch_items i
     left join transactions t on t.merchant_id = i.merchant_id and t.mode = i.mode and t.id = i.id
     left join payouts p on p.merchant_id = i.merchant_id and p.mode = i.mode and p.id = i.id
    where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3 and i.position > $4
    order by i.position limit $5`,
);
