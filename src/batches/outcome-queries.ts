import { statement } from '../platform/db/statement.ts';
import { ITEMS_WITH_PAYOUT, type ItemOutcome, OUTCOME } from './item-queries.ts';

export interface OutcomeRow {
  outcome: ItemOutcome;
  items: number;
  /** In kobo, of all of them; charges only of those that have become payouts. */
  amount_minor: bigint;
  charges_minor: bigint;
}

/** What became of the items of a dispatched batch so far. */
export const countOutcomes = statement<OutcomeRow>(
  'count-batch-outcomes',
  `select ${OUTCOME} as outcome, count(*)::int as items, sum(i.amount_minor)::bigint as amount_minor,
          coalesce(sum(p.fee_minor + p.vat_minor + p.stamp_duty_minor), 0)::bigint as charges_minor
     from ${ITEMS_WITH_PAYOUT}
     left join lateral (
       select fee_minor, vat_minor, stamp_duty_minor from payouts
        where merchant_id = i.merchant_id and mode = i.mode and id = i.id
       offset 0
     ) p on true
    where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3
    group by 1`,
);
