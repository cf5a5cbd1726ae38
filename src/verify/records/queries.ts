import { violationsOf } from '../queries.ts';

export const findWrongWalletTransfers = violationsOf(
  'wallet-transfers-moved-once',
  `select merchant_id, mode,
          format('%s %s (%s) of %s: %s transfers, %s of them as it says', category, id, status, amount_minor, made, right_ones)
            as detail
     from (
       select x.merchant_id, x.mode, x.id, x.category, x.status, x.amount_minor, count(t.id) as made,
              count(*) filter (where t.kind = 'POSTED' and t.amount_minor = x.amount_minor
                                 and t.currency = x.currency and t.credit_account_id = x.to_wallet_id
                                 and (t.debit_account_id = x.from_wallet_id or x.category = 'WALLET_FUNDING'))
                as right_ones
         from transactions x
         left join transfers t
           on t.merchant_id = x.merchant_id and t.mode = x.mode and t.transaction_id = x.id
        where x.category <> 'PAYOUT'
        group by x.merchant_id, x.mode, x.id
     ) w
    where made <> right_ones or made <> case status when 'SUCCESS' then 1 else 0 end`,
);

export const findWrongKeys = violationsOf(
  'idempotency-keys-tell-the-truth',
  `select k.merchant_id, k.mode,
          format('key %s (%s) names effect %s%s', k.key, k.answer_status, k.transaction_id,
                 case when x.id is null then ', which does not exist' else '' end) as detail
     from idempotency_keys k
     left join (
       select merchant_id, mode, id from transactions union all select merchant_id, mode, id from batches
       -- A decision that gave back what was held, or dispatched a batch.
       union all select merchant_id, mode, id from approvals
     ) x on x.merchant_id = k.merchant_id and x.mode = k.mode and x.id = k.transaction_id
    where k.transaction_id is not null and (x.id is null or k.answer_status not between 200 and 299)
   union all
   select merchant_id, mode, format('effect %s belongs to %s keys', transaction_id, count(*))
     from idempotency_keys
    where transaction_id is not null
    group by merchant_id, mode, transaction_id
   having count(*) > 1`,
);

/** Sequences are unique by the primary key: from 1 to n, n of them, leaves no room for a gap. */
export const findEventGaps = violationsOf(
  'events-without-gaps',
  `select coalesce(b.merchant_id, e.merchant_id) as merchant_id, coalesce(b.mode, e.mode) as mode,
          format('%s events numbered from %s to %s, the books say %s', coalesce(e.events, 0), coalesce(e.first, 0),
                 coalesce(e.last, 0), coalesce(b.event_sequence::text, 'nothing')) as detail
     from books b
     full join (
       select merchant_id, mode, count(*) as events, min(sequence) as first, max(sequence) as last
         from events
        group by merchant_id, mode
     ) e on e.merchant_id = b.merchant_id and e.mode = b.mode
    where b.merchant_id is null or coalesce(e.events, 0) <> b.event_sequence
       or coalesce(e.last, 0) <> b.event_sequence or coalesce(e.first, 1) <> 1`,
);

const TOLD = 'select distinct merchant_id, mode, subject_id from events';

/** A payout of a batch may be told with its batch until it has an end of its own. */
export const findUntoldTransactions = violationsOf(
  'transactions-are-told',
  `select x.merchant_id, x.mode, format('%s %s (%s) has no event', x.category, x.id, x.status) as detail
     from transactions x
     left join (${TOLD}) e on e.merchant_id = x.merchant_id and e.mode = x.mode and e.subject_id = x.id
     left join (${TOLD}) b
       on b.merchant_id = x.merchant_id and b.mode = x.mode and b.subject_id = x.batch_id
      and x.status in ('QUEUED', 'PROCESSING')
    where e.subject_id is null and b.subject_id is null`,
);

/**
 * A path enters the state where it ends once more than it leaves it, and no other: so no clock has to order the steps.
 */
export const findStatusesUnlikeHistory = violationsOf(
  'status-is-where-history-ends',
  `select x.merchant_id, x.mode,
          format('%s %s is %s, its history says %s', x.category, x.id, x.status, ended.state) as detail
     from (
       select merchant_id, mode, subject_id, state
         from (
           select merchant_id, mode, subject_id, to_state as state, 1 as step
             from state_changes where subject = 'transaction'
           union all
           select merchant_id, mode, subject_id, from_state, -1 from state_changes where subject = 'transaction'
         ) steps
        group by merchant_id, mode, subject_id, state
       having sum(step) > 0
     ) ended
     join transactions x
       on x.merchant_id = ended.merchant_id and x.mode = ended.mode and x.id = ended.subject_id
    where x.status <> ended.state`,
);
