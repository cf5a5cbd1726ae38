import { caseDigest, complianceProposalDigest, freezeDigest } from '../compliance/index.ts';
import { type Check, check, NOBODY, sameTenant } from './queries.ts';

/** Digits of a number as a provider wrote it. */
const digitsOf = (column: string) => `regexp_replace(coalesce(${column}, ''), '\\D', '', 'g')`;

/** When a freeze `f` is over; what was done by then was held. */
const OVER = `least(coalesce(f.lifted_at, 'infinity'), coalesce(f.ends_at, 'infinity'))`;

/** A freeze `f` of a payment in `p`, but for payers, whose names are compared in any order of their words. */
const FREEZES_PAYMENT = `f.mode = p.mode and case f.subject
            when 'MERCHANT' then f.merchant_id = p.merchant_id
            when 'ACCOUNT' then f.account_number in (${digitsOf('p.payer_account_number')}, ${digitsOf('p.account_number')})
            when 'REFERENCE' then lower(f.reference) in (p.id::text, lower(p.provider_transaction_id), lower(p.provider_reference),
                                                         lower(p.session_id))
            else false end`;

/** A freeze `f` of a payout `p` with its transaction `t`. */
const FREEZES_PAYOUT = `f.mode = p.mode and case f.subject
            when 'MERCHANT' then f.merchant_id = p.merchant_id
            when 'ACCOUNT' then f.account_number = t.beneficiary_account_number and f.bank_code = t.beneficiary_bank_code
            when 'REFERENCE' then lower(f.reference) in (p.id::text, lower(p.rail_reference), lower(t.client_reference))
            else false end`;

/** An attempt `a` that sent a payout while a freeze `f` was in force. */
const SENT_UNDER = `a.kind = 'SEND' and a.started_at >= f.in_force_at and a.started_at < ${OVER}
      and a.reason is distinct from 'UNDER_REVIEW' and a.reason is distinct from 'MERCHANT_SUSPENDED'
      and a.reason is distinct from 'RAIL_CALL_ABANDONED'`;

const letThrough = check(
  'freezes-let-nothing-through',
  'While a freeze is in force, no payment of it was credited, left suspense or stopped waiting for its settlement, and no payout and no refund of it was sent.',
  `select p.merchant_id, p.mode, format('payment %s was credited at %s, under freeze %s since %s', p.id, p.confirmed_at, f.id, f.in_force_at)
            as detail
     from freezes f
     join inbound_payments p on ${FREEZES_PAYMENT} and p.confirmed_at >= f.in_force_at and p.confirmed_at < ${OVER}
     left join (select distinct merchant_id, mode, transaction_id from transfers where code = 'COLLECTION_SUSPENSE') h
       on ${sameTenant('h', 'p')} and h.transaction_id = p.id
    where h.transaction_id is null
   union all
   select p.merchant_id, p.mode, format('payment %s left %s at %s, under freeze %s since %s', p.id, s.from_state, s.created_at, f.id, f.in_force_at)
     from freezes f
     join inbound_payments p on ${FREEZES_PAYMENT}
     join state_changes s
       on ${sameTenant('s', 'p')} and s.subject = 'inbound_payment' and s.subject_id = p.id
      and s.from_state in ('SUSPENSE', 'PENDING_SETTLEMENT')
      and s.created_at >= f.in_force_at and s.created_at < ${OVER}
   union all
   select p.merchant_id, p.mode, format('payout %s was sent at %s, under freeze %s since %s', p.id, a.started_at, f.id, f.in_force_at)
     from freezes f
     join payouts p on p.mode = f.mode
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id and ${FREEZES_PAYOUT}
     join payout_attempts a on ${sameTenant('a', 'p')} and a.payout_id = p.id and ${SENT_UNDER}
   union all
   select r.merchant_id, r.mode, format('refund %s was sent at %s, under freeze %s since %s', r.id, a.started_at, f.id, f.in_force_at)
     from freezes f
     join inbound_payments p on ${FREEZES_PAYMENT}
     join refunds r on ${sameTenant('r', 'p')} and r.payment_id = p.id
     join refund_attempts a
       on ${sameTenant('a', 'r')} and a.refund_id = r.id and a.kind in ('SEND', 'DETAILS')
      and a.started_at >= f.in_force_at and a.started_at < ${OVER}
   union all
   select r.merchant_id, r.mode, format('refund %s was sent by payout %s at %s, under freeze %s since %s', r.id, r.payout_id, a.started_at,
                                        f.id, f.in_force_at)
     from freezes f
     join inbound_payments p on ${FREEZES_PAYMENT}
     join refunds r on ${sameTenant('r', 'p')} and r.payment_id = p.id
     join payout_attempts a on ${sameTenant('a', 'r')} and a.payout_id = r.payout_id and ${SENT_UNDER}`,
);

const heldWithoutCase = check(
  'what-is-held-has-its-case',
  'Every payment and every payout that is held for the operator to look into has its case, which is what was found, and ends with it.',
  `select coalesce(p.merchant_id, c.merchant_id) as merchant_id, coalesce(p.mode, c.mode) as mode,
          format('payment %s (%s, %s): case %s (%s, %s)', coalesce(p.id, c.subject_id), coalesce(p.status, 'not there'),
                 coalesce(p.reason, 'no reason'), coalesce(c.id::text, 'none'), coalesce(c.reason, 'no reason'),
                 coalesce(c.status, 'none')) as detail
     from (select i.merchant_id, i.mode, i.id, i.status, i.reason, i.confirmed_at, s.created_at as left_at, s.to_state, h.amount_minor as held
             from inbound_payments i
             left join (select merchant_id, mode, transaction_id, min(amount_minor) as amount_minor from transfers
                         where code = 'COLLECTION_SUSPENSE' group by 1, 2, 3) h
               on ${sameTenant('h', 'i')} and h.transaction_id = i.id
             left join state_changes s
               on ${sameTenant('s', 'i')} and s.subject = 'inbound_payment' and s.subject_id = i.id and s.from_state = 'SUSPENSE') p
     full join (select * from compliance_cases where subject_type = 'PAYMENT') c
       on ${sameTenant('c', 'p')} and c.subject_id = p.id
    where case when c.id is null then p.status = 'SUSPENSE' and p.reason in ('UNDER_REVIEW', 'TIER_LIMIT')
               else (p.held is not null and c.opened_at = p.confirmed_at and c.digest = ${caseDigest('c')}
                     and c.reason in ('FROZEN', 'SCREENING_HIT', 'SCREENING_UNAVAILABLE', 'TIER_LIMIT')
                     and (p.status <> 'SUSPENSE'
                          or p.reason = case c.reason when 'TIER_LIMIT' then 'TIER_LIMIT' else 'UNDER_REVIEW' end)
                     and c.decided_at is not distinct from p.left_at and c.updated_at = coalesce(c.decided_at, c.opened_at)
                     and c.status = case when p.left_at is null then 'OPEN'
                                         when p.to_state in ('CREDITED', 'PENDING_SETTLEMENT') then 'RELEASED'
                                         else 'REFUSED' end) is not true end
   union all
   select p.merchant_id, p.mode, format('payout %s (%s) is under review, and no case says why', p.id, t.status)
     from payouts p
     join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
     left join (select distinct merchant_id, mode, subject_id from compliance_cases where subject_type = 'PAYOUT') c
       on ${sameTenant('c', 'p')} and c.subject_id = p.id
    where p.operator_reason = 'UNDER_REVIEW' and c.subject_id is null
   union all
   select c.merchant_id, c.mode, format('case %s (%s, %s) of payout %s (%s) is not what was found, or ended otherwise', c.id, c.reason,
                                        c.status, c.subject_id, coalesce(t.status, 'not there'))
     from compliance_cases c
     left join transactions t on ${sameTenant('t', 'c')} and t.id = c.subject_id and t.category = 'PAYOUT'
     left join freezes f on f.id = c.freeze_id
     left join (select merchant_id, mode, case_id, count(*) as confirmed, min(decided_at) as decided_at from compliance_proposals
                 where status = 'CONFIRMED' and case_id is not null group by 1, 2, 3) o
       on ${sameTenant('o', 'c')} and o.case_id = c.id
    where c.subject_type = 'PAYOUT'
      and (t.id is not null and c.digest = ${caseDigest('c')} and c.updated_at = coalesce(c.decided_at, c.opened_at)
           and c.reason in ('FROZEN', 'SCREENING_HIT', 'SCREENING_UNAVAILABLE') and (c.freeze_id is null or f.id::text = c.cause)
           and coalesce(c.decided_at, c.opened_at) >= c.opened_at and c.opened_at >= t.created_at
           and case c.status when 'OPEN' then o.case_id is null
                             when 'RELEASED' then o.confirmed = 1 and o.decided_at = c.decided_at and c.reason <> 'FROZEN'
                             when 'REFUSED' then o.case_id is null and t.status in ('FAILED', 'CANCELLED')
                             when 'LAPSED' then o.case_id is null
                                            and (t.status in ('SUCCESS', 'REVERSED') or c.reason = 'SCREENING_UNAVAILABLE' or f.lifted_at <= c.decided_at or f.ends_at <= c.decided_at)
               end) is not true`,
);

const lonelyLifts = check(
  'freezes-are-lifted-by-two',
  'Every freeze is what was made, and was lifted, as every payout was released, by what one of the operator’s people proposed and another confirmed.',
  `select coalesce(f.merchant_id, ${NOBODY}) as merchant_id, f.mode,
          format('freeze %s by %s, lifted at %s by proposal %s (%s)', f.id, coalesce(m.email, 'nobody'), f.lifted_at, f.lift_id,
                 coalesce(o.status, 'none')) as detail
     from freezes f
     left join people m on m.id = f.made_by and m.kind = 'OPERATOR'
     left join compliance_proposals o on o.id = f.lift_id
    where (m.id is not null and f.digest = ${freezeDigest('f')}
           and (f.lifted_at is null or o.status = 'CONFIRMED' and o.freeze_id = f.id and o.decided_at = f.lifted_at
                                       and f.lifted_at >= f.made_at)) is not true
   union all
   select coalesce(o.merchant_id, ${NOBODY}), o.mode,
          format('proposal %s (%s, %s): proposed by %s, decided by %s%s', o.id, o.action, o.status, coalesce(a.email, 'nobody'),
                 coalesce(b.email, 'nobody'), case when o.digest = ${complianceProposalDigest('o')} then '' else ', and altered since' end)
     from compliance_proposals o
     left join people a on a.id = o.proposed_by and a.kind = 'OPERATOR'
     left join people b on b.id = o.decided_by and b.kind = 'OPERATOR'
     left join freezes f on f.id = o.freeze_id
     left join compliance_cases c on ${sameTenant('c', 'o')} and c.id = o.case_id
    where (o.digest = ${complianceProposalDigest('o')} and a.id is not null
           and coalesce(o.decided_at, o.proposed_at) >= o.proposed_at and o.updated_at = coalesce(o.decided_at, o.proposed_at)
           and case o.action when 'LIFT' then f.mode = o.mode and o.proposed_at >= f.made_at
                             when 'RELEASE' then c.id is not null and o.proposed_at >= c.opened_at end
           and case o.status
                 when 'PENDING' then num_nonnulls(o.decided_by, o.reason) = 0
                 when 'CONFIRMED' then b.id <> a.id and o.reason is null
                                       and case o.action when 'LIFT' then f.lift_id = o.id else c.status = 'RELEASED' end
                 when 'REJECTED' then b.id <> a.id and o.reason is not null
                 when 'WITHDRAWN' then b.id = a.id and o.reason is not null
               end) is not true`,
);

export const complianceChecks: readonly Check[] = [letThrough, heldWithoutCase, lonelyLifts];
