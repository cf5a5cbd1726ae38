import { decidedByTwo } from './decisions-queries.ts';
import { type Check, check, sameTenant } from './queries.ts';

/** What a rail hears follows from the payout's id alone, so a second send is never another payment. */
const otherReferences = check(
  'payouts-have-one-reference',
  'Every payout has the one rail reference that follows from its id.',
  `select merchant_id, mode, format('payout %s has the reference %s', id, rail_reference) as detail
     from payouts
    where replace(rail_reference, '-', '') <> replace(id::text, '-', '')`,
);

/**
 * A second rail was asked to send only where the first said definitely that it had not paid, or was never reached: a call
 * that got no answer, and no refusal since, may have been a payment.
 */
const secondSends = check(
  'second-rails-follow-a-refusal',
  'No payout was sent by a second rail after the first may have paid it.',
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

/** A webhook that was not believed (another amount, another rail) ends nothing. */
export const BELIEVED = `not (a.kind = 'PROVIDER_WEBHOOK' and coalesce(a.reason, '') like 'PROVIDER\\_WEBHOOK\\_%')`;

/** Of a call the response is as old as its answer; any other is written down when it counts. A minute is for clocks. */
const IN_TIME = `case when a.kind in ('SEND', 'QUERY') then a.ended_at < s.created_at + interval '1 minute'
                          else a.ended_at = s.created_at end`;

/** What the ending response leaves with the payout: its code and its session, where it has them. */
const LEFT_BY = `(a.code is null or a.code = p.rail_code) and (a.session_id is null or a.session_id = p.session_id)`;

/**
 * Nothing ends by itself. The response that did is kept, by the rail that has the payout, in time, with the code, the session
 * and the reason that the payout has.
 */
const unsaidEnds = check(
  'payouts-end-by-a-provider-response',
  'Every payout that was sent ended by a response of the rail that had it, or of the operator, and the response is kept as the payout has it.',
  `select p.merchant_id, p.mode, format('payout %s is %s (%s), by a response of %s with the code %s and the session %s that is not kept',
          p.id, t.status, coalesce(t.reason, 'no reason'), coalesce(p.ended_by, 'nobody'), coalesce(p.rail_code, 'none'),
          coalesce(p.session_id, 'none')) as detail
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join state_changes s on ${sameTenant('s', 'p')} and s.subject_id = p.id and s.to_state = t.status
     left join payout_attempts a on ${sameTenant('a', 'p')} and a.payout_id = p.id and a.rail = p.ended_by and ${BELIEVED}
    where t.status in ('SUCCESS', 'FAILED', 'REVERSED') and (t.status <> 'FAILED' or p.amount_hold_id is not null)
      -- Paid otherwise meanwhile, it was never sent.
      and (t.status = 'FAILED' and t.reason = 'PAYOUT_DUPLICATE' and p.first_sent_at is null) is not true
    group by p.merchant_id, p.mode, p.id, t.status, t.reason
   having not (
            case t.status
              when 'SUCCESS' then bool_or(a.outcome = 'succeeded' and ${IN_TIME} and ${LEFT_BY})
              when 'FAILED' then bool_or(a.outcome in ('failed', 'reversed') and ${IN_TIME} and ${LEFT_BY}
                                         and t.reason = coalesce(a.reason, 'RAIL_GAVE_NO_REASON'))
              else bool_or(a.outcome = 'succeeded')
                   and bool_or(a.outcome = 'reversed' and ${IN_TIME} and ${LEFT_BY}
                               and t.reason = coalesce(a.reason, 'RAIL_GAVE_NO_REASON'))
            end is true
            and (p.rail_code is null or bool_or(a.code = p.rail_code) is true)
            and (p.session_id is null or bool_or(a.session_id = p.session_id) is true))
   union all
   select p.merchant_id, p.mode, format('payout %s (%s) was ended by %s, with the code %s', p.id, t.status, coalesce(p.ended_by, 'nobody'),
                                        coalesce(p.rail_code, 'none'))
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
    where num_nonnulls(p.ended_by, p.rail_code, p.session_id) > 0
      and (t.status in ('SUCCESS', 'FAILED', 'REVERSED') and p.amount_hold_id is not null and p.ended_by is not null) is not true`,
);

/** Neither before the operator now, nor decided by two of its people. */
const UNSEEN = `p.operator_reason is distinct from 'RAIL_CONTRADICTS' and o.payout_id is null`;

/** What was said and believed has been applied in the same moment; what contradicts an end is put before people. */
const responsesWithoutEffect = check(
  'every-provider-response-had-its-effect',
  'No payout is open although its rail said how it ended, and none whose rail contradicts its end goes unseen by the operator.',
  `select p.merchant_id, p.mode,
          format('payout %s is %s, and %s said %s (%s %s)', p.id, t.status, a.rail, a.outcome, a.kind, a.id) as detail
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     join payout_attempts a on ${sameTenant('a', 'p')} and a.payout_id = p.id and a.rail = p.rail and ${BELIEVED}
     left join (
       select distinct merchant_id, mode, payout_id from payout_attempts where kind = 'OPERATOR'
     ) o on ${sameTenant('o', 'p')} and o.payout_id = p.id
    where case when t.status in ('QUEUED', 'PROCESSING') then a.outcome in ('succeeded', 'failed', 'reversed')
               when t.status = 'SUCCESS' then a.outcome = 'reversed' or (a.outcome = 'failed' and ${UNSEEN})
               when t.status = 'FAILED' then a.outcome = 'succeeded' and ${UNSEEN}
               when t.status = 'CANCELLED' then a.outcome = 'succeeded' and ${UNSEEN}
               else false end`,
);

const lonelyDecisions = check(
  'outcomes-are-decided-by-two',
  'Every outcome that the operator decided was proposed by one person and confirmed by another, as the evidence of the payout has it.',
  decidedByTwo({
    proposals: 'outcome_proposals',
    machine: 'outcome_proposal',
    subjects: 'payouts',
    subject: 'payout',
    attempts: 'payout_attempts',
  }),
);

export const outcomeChecks: readonly Check[] = [
  otherReferences,
  secondSends,
  unsaidEnds,
  responsesWithoutEffect,
  lonelyDecisions,
];
