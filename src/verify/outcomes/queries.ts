import { violationsOf } from '../queries.ts';

/** What is counted against the day's limit: what was accepted and has not failed, and what a dispatch still has to open. */
export const findWrongAllowances = violationsOf(
  'day-limits-count-what-is-paid',
  `select coalesce(a.merchant_id, u.merchant_id) as merchant_id, coalesce(a.mode, u.mode) as mode,
          format('%s: %s counted, payouts come to %s', coalesce(a.period, u.period), coalesce(a.used_minor, 0),
                 coalesce(u.used_minor, 0)) as detail
     from (select * from allowances where scope = 'PAYOUT_DAY') a
     full join (
       select merchant_id, mode, period, sum(amount_minor) as used_minor
         from (
           select p.merchant_id, p.mode, p.counted_on::text as period, t.amount_minor
             from payouts p
             join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
            where p.counted_on is not null and t.status not in ('FAILED', 'CANCELLED')
            union all
           select c.merchant_id, c.mode, b.counted_on::text, c.amount_minor
             from batch_chunks c
             join batches b on b.merchant_id = c.merchant_id and b.mode = c.mode and b.id = c.batch_id
            where c.due_at is not null and b.counted_on is not null
         ) counted
        group by merchant_id, mode, period
     ) u on u.merchant_id = a.merchant_id and u.mode = a.mode and u.period = a.period
    where coalesce(a.used_minor, 0) <> coalesce(u.used_minor, 0)`,
);

/** What a rail hears follows from the payout's id alone, so a second send is never another payment. */
export const findOtherReferences = violationsOf(
  'payouts-have-one-reference',
  `select merchant_id, mode, format('payout %s has the reference %s', id, rail_reference) as detail
     from payouts
    where replace(rail_reference, '-', '') <> replace(id::text, '-', '')`,
);

/**
 * A second rail was asked to send only where the first said definitely that it had not paid, or was never reached: a call
 * that got no answer, and no refusal since, may have been a payment.
 */
export const findSecondSends = violationsOf(
  'second-rails-follow-a-refusal',
  `select first.merchant_id, first.mode,
          format('payout %s was sent by %s, which said %s, and then by %s', first.payout_id, first.rail, first.said,
                 second.rail) as detail
     from (
       select merchant_id, mode, payout_id, rail, min(id::text) as id,
              min(coalesce(outcome, 'nothing') || coalesce(' (' || reason || ')', '')) as said
         from payout_attempts
        where kind = 'SEND'
          and (outcome in ('succeeded', 'reversed')
               or (outcome = 'unknown' and reason in ('RAIL_TIMEOUT', 'RAIL_UNREACHABLE', 'RAIL_ANSWER_MISMATCH')))
        group by merchant_id, mode, payout_id, rail
     ) first
     join (
       select merchant_id, mode, payout_id, rail, max(id::text) as id
         from payout_attempts where kind = 'SEND'
        group by merchant_id, mode, payout_id, rail
     ) second
       on second.merchant_id = first.merchant_id and second.mode = first.mode and second.payout_id = first.payout_id
      and second.rail <> first.rail and second.id > first.id
     left join (
       select distinct merchant_id, mode, payout_id, rail from payout_attempts where outcome = 'failed'
     ) refused
       on refused.merchant_id = first.merchant_id and refused.mode = first.mode and refused.payout_id = first.payout_id
      and refused.rail = first.rail
    where refused.rail is null`,
);

/** Nothing ends by itself, and a notice that was not believed (another amount, another rail) ends nothing. */
export const findUnsaidEnds = violationsOf(
  'payouts-end-by-a-word',
  `select t.merchant_id, t.mode, format('payout %s is %s, and %s never said so', t.id, t.status, p.told_by) as detail
     from payouts p
     join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
     left join (
       select merchant_id, mode, payout_id, rail, bool_or(outcome = 'succeeded') as succeeded,
              bool_or(outcome in ('failed', 'reversed')) as failed, bool_or(outcome = 'reversed') as reversed
         from payout_attempts
        where not (kind = 'NOTICE' and coalesce(reason, '') like 'NOTICE\\_%')
        group by merchant_id, mode, payout_id, rail
     ) said on said.merchant_id = p.merchant_id and said.mode = p.mode and said.payout_id = p.id and said.rail = p.told_by
    where p.told_by is not null
      and (case t.status when 'SUCCESS' then said.succeeded when 'FAILED' then said.failed
                         when 'REVERSED' then said.succeeded and said.reversed else false end) is not true`,
);

export const findLonelyDecisions = violationsOf(
  'outcomes-are-decided-by-two',
  `select o.merchant_id, o.mode,
          format('proposal %s (%s of payout %s): proposed by %s, confirmed by %s', o.id, o.outcome, o.payout_id,
                 coalesce(a.email, 'nobody'), coalesce(b.email, 'nobody')) as detail
     from outcome_proposals o
     left join people a on a.id = o.proposed_by and a.kind = 'OPERATOR'
     left join people b on b.id = o.decided_by and b.kind = 'OPERATOR'
    where o.status = 'CONFIRMED' and (a.id <> b.id) is not true
   union all
   select w.merchant_id, w.mode, format('payout %s was decided by the operator %s times, and confirmed %s times', w.payout_id,
                 w.decisions, coalesce(o.confirmed, 0))
     from (
       select merchant_id, mode, payout_id, count(*) as decisions from payout_attempts where kind = 'OPERATOR' group by 1, 2, 3
     ) w
     left join (
       select merchant_id, mode, payout_id, count(*) as proposed, count(*) filter (where status = 'CONFIRMED') as confirmed
         from outcome_proposals group by 1, 2, 3
     ) o on o.merchant_id = w.merchant_id and o.mode = w.mode and o.payout_id = w.payout_id
    where w.decisions > coalesce(o.proposed, 0)`,
);
