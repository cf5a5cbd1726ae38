import { statement } from '../../../platform/db/statement.ts';

/** Across merchants, outside money transactions. $1 whoever looks: one's own proposals wait for somebody else. */
export const countOutcomes = statement<{ before_operator: number; proposals: number }>(
  'count-outcomes-to-decide',
  `select (select count(*)::int from payouts p where p.operator_reason is not null) as before_operator,
          (select count(*)::int from outcome_proposals o where o.status = 'PENDING' and o.proposed_by <> $1) as proposals`,
);
