import { statement } from '../../../platform/db/statement.ts';

/** Across merchants, outside money transactions. $1 whoever looks: one's own proposals wait for somebody else. */
export const countOutcomes = statement<{ before_operator: number; proposals: number }>(
  'count-outcomes-to-decide',
  `select (select count(*)::int from payouts p where p.operator_reason is not null) as before_operator,
          (select count(*)::int from outcome_proposals o where o.status = 'PENDING' and o.proposed_by <> $1) as proposals`,
);

/** Sent and without an outcome, however young. After `planReport`. */
export const countUndecidedPayouts = statement<{ total: number }>(
  'count-undecided-payouts',
  `select count(*)::int as total
     from payouts p
     join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
    where p.due_at is not null and t.status = 'PROCESSING' and t.reason = 'OUTCOME_UNKNOWN'`,
);

export const countPayoutsForOperator = statement<{ total: number }>(
  'count-payouts-for-operator',
  'select count(*)::int as total from payouts p where p.operator_reason is not null',
);
