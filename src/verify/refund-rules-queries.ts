import { refundRuleDigest } from '../refunds/index.ts';
import { type Check, CLOCKS, check, LATEST, SOON, sameTenant } from './queries.ts';

/** What of each payment for a session its payer did not owe, by the session alone, and why. */
const NOT_OWED = `select n.merchant_id, n.mode, n.payment_id, n.received_at,
              case n.note when 'LATE' then 'LATE' when 'OVERPAID' then 'EXCESS' when 'SECOND_PAYMENT' then 'EXCESS' end as cause,
              case n.note when 'OVERPAID' then least(n.amount_minor, n.received_minor - s.payable_minor) else n.amount_minor end
                as minor
         from (
           select merchant_id, mode, session_id, payment_id, amount_minor, note, received_at,
                  sum(amount_minor) over (partition by merchant_id, mode, session_id order by version) as received_minor
             from payment_session_payments
         ) n
         join payment_sessions s on ${sameTenant('s', 'n')} and s.id = n.session_id
        where n.note in ('LATE', 'OVERPAID', 'SECOND_PAYMENT')`;

/** Versions of rules with the moments between which each counts. */
const VERSIONS = `select r.*, lag(r.version) over of_tenant as version_before, lag(r.changed_at) over of_tenant as changed_before,
              lead(r.changed_at) over of_tenant as replaced_at
         from refund_rules r
       window of_tenant as (partition by r.merchant_id, r.mode order by r.version)`;

const wayOf = (rule: string, cause: string) => `case ${cause} when 'LATE' then ${rule}.late else ${rule}.excess end`;

const wrongVersions = check(
  'refund-rules-are-what-was-set',
  'Every version of a refund rule follows the one before it, is what it was when it was made, and was reported then.',
  `select coalesce(r.merchant_id, e.merchant_id) as merchant_id, coalesce(r.mode, e.mode) as mode,
          format('version %s of the rule (late %s, excess %s), after version %s', coalesce(r.version, e.version), r.late, r.excess,
                 r.version_before) as detail
     from (${VERSIONS}) r
     full join (
       select v.merchant_id, v.mode, v.created_at, v.subject_id, x.*
         from events v
        cross join lateral json_to_record(v.data::json)
                as x (version int, late text, excess text, "changedBy" text, "changedAt" timestamptz)
        where v.type = 'refund_rule.updated'
     ) e on ${sameTenant('e', 'r')} and e.version = r.version
    where (r.digest = ${refundRuleDigest('r')} and r.version = coalesce(r.version_before, 0) + 1
           and r.changed_at >= coalesce(r.changed_before, r.changed_at) - ${CLOCKS}
           and e.subject_id = r.merchant_id and e.created_at = r.changed_at and (e.late, e.excess, e."changedBy", e."changedAt") = (r.late, r.excess, r.changed_by, r.changed_at)) is not true`,
);

/** What commits within a minute of a change may have gone by the version before it or after it. */
const forgotten = check(
  'refund-rules-forget-no-payment',
  'Every payment that came late, or above what was asked, while a rule sent that back, is noted for it, with what its payer did not owe; and no other is.',
  `select coalesce(p.merchant_id, n.merchant_id) as merchant_id, coalesce(p.mode, n.mode) as mode,
          format('payment %s: %s of %s was not owed, and the rule notes %s of %s by version %s', coalesce(p.id, n.payment_id),
                 coalesce(n.cause, 'nothing'), n.minor, coalesce(p.cause, 'nothing'), p.due_minor, p.rule_version) as detail
     from payments_to_refund p
     full join (${NOT_OWED}) n on ${sameTenant('n', 'p')} and n.payment_id = p.id
     left join refund_rules v on ${sameTenant('v', 'p')} and v.version = p.rule_version
     left join (${VERSIONS}) f on f.merchant_id = n.merchant_id and f.mode = n.mode
        and n.received_at >= f.changed_at + ${CLOCKS} and n.received_at < coalesce(f.replaced_at, 'infinity') - ${CLOCKS}
    where case when p.id is null then ${wayOf('f', 'n.cause')} <> 'OFF' and n.minor > 0
               else ((n.cause, n.minor, n.received_at) = (p.cause, p.due_minor, p.created_at) and v.changed_at <= p.updated_at + ${CLOCKS}
                     and ${wayOf('v', 'p.cause')} <> 'OFF') is not true end`,
);

/** What else of a payment went back, or was disputed. */
const TAKEN_OTHERWISE = `select merchant_id, mode, payment_id, count(*) as others
         from (
           select merchant_id, mode, payment_id from refunds where cause = 'MERCHANT'
            union all
           select merchant_id, mode, payment_id from disputes
         ) taken group by merchant_id, mode, payment_id`;

const refundedOtherwise = check(
  'refund-rules-refund-once',
  'Every refund that a rule made is the one of its payment, over what its payer did not owe and no more, the way that its version says and for no approval; and what the rule is for is refunded, left, refused, or looked at soon.',
  `select coalesce(p.merchant_id, r.merchant_id) as merchant_id, coalesce(p.mode, r.mode) as mode,
          format('payment %s (%s of %s, %s) by version %s names refund %s: there is %s of %s by %s; due at %s', coalesce(p.id, r.payment_id),
                 p.cause, p.due_minor, coalesce(p.status, 'not noted'), p.rule_version, coalesce(p.refund_id::text, 'none'),
                 coalesce(r.id::text, 'none'), r.amount_minor, r.way, p.due_at) as detail
     from payments_to_refund p
     full join (select * from refunds where cause <> 'MERCHANT') r on ${sameTenant('r', 'p')} and r.payment_id = p.id
     left join (${VERSIONS}) v on ${sameTenant('v', 'p')} and v.version = p.rule_version
     left join (${TAKEN_OTHERWISE}) o on ${sameTenant('o', 'p')} and o.payment_id = p.id
    cross join ${LATEST} latest
    where case p.status
            when 'REFUNDED' then (r.id, r.cause) = (p.refund_id, p.cause) and p.due_at is null and p.reason is null
              and r.amount_minor <= p.due_minor and (r.amount_minor = p.due_minor or o.others > 0)
              and r.way = ${wayOf('v', 'p.cause')} and r.approval_id is null and r.rules_version is null
              and r.created_at between v.changed_at - ${CLOCKS} and coalesce(v.replaced_at, 'infinity') + ${CLOCKS}
              and p.updated_at = r.created_at and r.note is not null
            when 'WAITING' then r.id is null and p.refund_id is null and p.reason is null and p.updated_at = p.created_at
              and p.due_at <= greatest(latest.at, p.updated_at) + ${SOON}
            when 'LEFT' then r.id is null and p.refund_id is null and p.due_at is null
              and (p.reason in ('RULE_OFF', 'NOTHING_LEFT') or p.reason like 'PAYMENT_%')
            when 'REFUSED' then r.id is null and p.refund_id is null and p.due_at is null and p.reason is not null
          end is not true
       or p.attempts < 0 or (p.status <> 'WAITING' and p.attempts = 0)
       or p.updated_at < p.created_at`,
);

const unreported = check(
  'refunds-that-rules-did-not-make-are-reported',
  'Every payment that a rule left or could not refund was reported once, when that was found, with what it is and why; and no other was.',
  `select coalesce(p.merchant_id, e.merchant_id) as merchant_id, coalesce(p.mode, e.mode) as mode,
          format('payment %s (%s, %s) was reported %s times', coalesce(p.id, e.subject_id), p.status, p.reason, coalesce(e.events, 0)) as detail
     from (select * from payments_to_refund where status in ('LEFT', 'REFUSED')) p
     full join (
       select v.merchant_id, v.mode, v.subject_id, v.type, v.created_at as at, x."paymentId", x.cause, x."notOwed", x.currency,
              x.status, x.conclusive, x.reason, x."refundId", x."tryAgainAt", x.mode as reported_mode, x."createdAt", x."updatedAt",
              count(*) over (partition by v.merchant_id, v.mode, v.subject_id) as events
         from events v
        cross join lateral json_to_record(v.data::json)
                as x ("paymentId" uuid, cause text, "notOwed" numeric, currency text, status text, conclusive boolean, reason text, "refundId" text,
                      "tryAgainAt" text, mode text, "createdAt" timestamptz, "updatedAt" timestamptz)
        where v.type in ('refund_rule.left', 'refund_rule.refused')
     ) e on ${sameTenant('e', 'p')} and e.subject_id = p.id
    where (e.events = 1 and e.at = p.updated_at and e.type = 'refund_rule.' || lower(p.status)
           and (e."paymentId", e.cause, e."notOwed" * 100, e.currency, e.status, e.reason, e.reported_mode, e."createdAt", e."updatedAt")
             = (p.id, p.cause, p.due_minor, 'NGN', p.status, p.reason, p.mode, p.created_at, p.updated_at)
           -- An earlier release did not say it.
           and e.conclusive is not false
           and num_nonnulls(e."refundId", e."tryAgainAt") = 0) is not true`,
);

export const refundRuleChecks: readonly Check[] = [wrongVersions, forgotten, refundedOtherwise, unreported];
