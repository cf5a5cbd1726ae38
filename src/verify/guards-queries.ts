import { type Check, CLOCKS, check, sameTenant, wordsOf } from './queries.ts';
import { COUNTED_REFUNDS } from './refunds-queries.ts';

/**
 * Every name that was taken, by what took it: `subject_id` and `created_at` are null where nothing says them. An upload
 * that was abandoned has taken its name too, and leaves nothing else.
 */
const TAKEN = `select merchant_id, mode, 'TRANSACTION_REFERENCE' as scope, client_reference as value, id as subject_id, created_at
         from transactions where client_reference is not null
        union all
       select merchant_id, mode, 'BATCH_UPLOAD', id::text, id, created_at from batches
        union all
       select merchant_id, mode, 'BATCH_RETRY',
              origin_batch_id || '/' || row_number() over (partition by merchant_id, mode, origin_batch_id order by id) - 1, id, created_at
         from batches where origin_batch_id is not null
        union all
       select merchant_id, mode, 'BATCH_VERSION', subject_id || '/' || (data::json ->> 'version')::int - 1, subject_id, created_at
         from events where type like 'batch.%' and type <> 'batch.created'
        union all
       select c.merchant_id, c.mode, 'BATCH_CHUNK', c.id::text, c.id, r.created_at
         from batch_chunks c
         left join transfers r on r.merchant_id = c.merchant_id and r.pending_id = c.amount_hold_id
        where c.due_at is null
        union all
       select s.merchant_id, s.mode, case s.kind when 'PAID' then 'SETTLEMENT' else 'SETTLEMENT_RETURN' end, s.payout_id::text,
              t.transaction_id, s.settled_at
         from payout_settlements s
         left join transfers t on ${sameTenant('t', 's')} and t.id = s.transfer_id and t.code = 'PAYOUT_SETTLEMENT'
        union all
       select merchant_id, mode, 'APPROVAL_DECISION', approval_id || '/' || person_id, approval_id, decided_at
         from approval_decisions
        union all
       select merchant_id, mode, 'APPROVAL_STEP',
              approval_id || '/' || row_number() over (partition by merchant_id, approval_id order by decided_at) - 1, approval_id,
              decided_at
         from approval_decisions where decision = 'APPROVE'
        union all
       select merchant_id, mode, 'APPROVAL_RULES_VERSION', version::text, null, made_at from approval_rules
        union all
       select a.merchant_id, a.mode, 'MERCHANT_SETTLEMENT', s.number || '/' || a.attempt, a.payout_id, a.created_at
         from merchant_settlement_payouts a
         join merchant_settlements s on ${sameTenant('s', 'a')} and s.id = a.settlement_id
        union all
       select merchant_id, mode, 'MERCHANT_SETTLEMENT_SETTINGS', version::text, id, changed_at from merchant_settlement_settings
        union all
       select merchant_id, mode, 'WALLET_SETTLEMENT_SETTINGS', wallet_id || '/' || version, id, changed_at from wallet_settlement_settings
        union all
       select merchant_id, mode, 'COLLECTION_CREDIT', rail || '/' || provider_transaction_id, id, confirmed_at from inbound_payments
        union all
       select merchant_id, mode, 'COLLECTION_SESSION', rail || '/' || session_id, id, confirmed_at
         from inbound_payments where session_id is not null
        union all
       select merchant_id, mode, 'MANUAL_CREDIT', id::text, transaction_id, decided_at
         from manual_credits where status = 'APPROVED'
        union all
       select o.merchant_id, o.mode, case when s.subject_id is null then 'SUSPENSE_END' else 'PENDING_RETURN' end,
              o.payment_id::text, o.payment_id, o.decided_at
         from suspense_proposals o
         left join state_changes s
           on ${sameTenant('s', 'o')} and s.subject = 'inbound_payment' and s.subject_id = o.payment_id
          and s.from_state = 'PENDING_SETTLEMENT' and s.to_state = 'RETURNED' and o.action = 'RETURN'
        where o.status = 'CONFIRMED'
        union all
       select merchant_id, mode, 'DISPUTE', rail || '/' || provider_dispute_id, id, opened_at from disputes
        union all
       select merchant_id, mode, 'SANDBOX_SETTLEMENT', (row_number() over (partition by merchant_id, mode order by sequence) - 1)::text,
              subject_id, created_at
         from events where type = 'sandbox.settlement_made'
        union all
       select merchant_id, mode, 'RESERVE_RELEASE', payment_id::text, release_id, released_at
         from reserves where released_at is not null
        union all
       select merchant_id, mode, 'COLLECTION_SETTLEMENT', payment_id::text, id, settled_at from collection_settlements
        union all
       select merchant_id, mode, 'DEDUCTION_SETTLEMENT', subject_type || '/' || subject_id, id, settled_at
         from deduction_settlements
        union all
       select merchant_id, mode,
              case opened_by when 'PUBLIC_KEY' then 'PAYMENT_SESSION_PUBLIC_REFERENCE' else 'PAYMENT_SESSION_REFERENCE' end,
              reference, id, created_at
         from payment_sessions
        union all
       select merchant_id, mode, 'SESSION_VERSION', session_id || '/' || version - 1, payment_id, received_at
         from payment_session_payments
        union all
       select merchant_id, mode, 'SESSION_VERSION', subject_id || '/' || (data::json ->> 'version')::int - 1, subject_id, created_at
         from events
        where type in ('payment_session.opened', 'payment_session.expired', 'payment_session.cancelled', 'payment_session.failed')
        union all
       select v.merchant_id, v.mode, 'VIRTUAL_ACCOUNT',
              v.wallet_id || '/' || coalesce(v.customer_id::text, '-') || '/' || v.rail || '/' || coalesce(v.before::text, '-'), v.id,
              v.requested_at
         from (
           select a.*, lag(a.id) over (partition by a.merchant_id, a.mode, a.wallet_id, a.customer_id, a.rail
                                           order by a.requested_at, a.id) as before
             from virtual_accounts a
         ) v
         join events e on ${sameTenant('e', 'v')} and e.type = 'virtual_account.requested' and e.subject_id = v.id
        union all
       select merchant_id, mode, 'REFUND_REFERENCE', client_reference, coalesce(payout_id, id), created_at
         from refunds where client_reference is not null
        union all
       select merchant_id, mode, 'REFUND_RULE_VERSION', version::text, id, changed_at from refund_rules
        union all
       select merchant_id, mode, 'REFUND_RULE', payment_id::text, coalesce(payout_id, id), created_at
         from refunds where cause <> 'MERCHANT'
        union all
       select merchant_id, mode, 'CUSTOMER_VERSION', subject_id || '/' || (data::json ->> 'version')::int - 1, subject_id, created_at
         from events where type = 'customer.updated'`;

const wrongUniqueKeys = check(
  'names-are-taken-by-what-has-them',
  'Every name that may be taken once, such as a merchant’s own reference, is taken by what has it, and by nothing else.',
  `select coalesce(c.merchant_id, t.merchant_id) as merchant_id, coalesce(c.mode, t.mode) as mode,
          format('%s %s: %s has it, and %s took it', coalesce(c.scope, t.scope), coalesce(c.value, t.value),
                 coalesce(t.subject_id::text, 'nothing known'), coalesce(c.subject_id::text, 'nobody')) as detail
     from unique_keys c
     full join (${TAKEN}) t on ${sameTenant('t', 'c')} and t.scope = c.scope and t.value = c.value
     -- What an approval puts into force is the approval's own movement.
     left join approvals a on ${sameTenant('a', 'c')} and a.id = c.subject_id and c.scope = 'BATCH_VERSION'
    where c.scope is null
       or (t.scope is null and c.scope <> 'BATCH_UPLOAD')
       or coalesce(a.subject_id, c.subject_id) <> t.subject_id or c.created_at <> t.created_at
       or (t.scope is null and c.value <> c.subject_id::text)`,
);

/** What is counted against the day's limit: what was accepted and has not failed, and what a dispatch still has to open. */
const wrongLimitUsage = check(
  'day-limits-count-what-is-paid',
  'What is counted against each day’s limit is what was accepted that day and has not failed.',
  `select coalesce(a.merchant_id, u.merchant_id) as merchant_id, coalesce(a.mode, u.mode) as mode,
          format('%s %s: %s counted, payouts come to %s', coalesce(a.scope, 'PAYOUT_DAY'), coalesce(a.period, u.period),
                 coalesce(a.used_minor, 0), coalesce(u.used_minor, 0)) as detail
     from (select * from limit_usage where scope = 'PAYOUT_DAY') a
     full join (
       select merchant_id, mode, period, sum(amount_minor) as used_minor
         from (
           select p.merchant_id, p.mode, p.counted_on::text as period, t.amount_minor
             from payouts p
             join transactions t on ${sameTenant('t', 'p')} and t.id = p.id
            where p.counted_on is not null and t.status not in ('FAILED', 'CANCELLED')
            union all
           select c.merchant_id, c.mode, b.counted_on::text, c.amount_minor
             from batch_chunks c
             join batches b on ${sameTenant('b', 'c')} and b.id = c.batch_id
            where c.due_at is not null and b.counted_on is not null
            union all
           select merchant_id, mode, counted_on::text, amount_minor from ${COUNTED_REFUNDS} r where counted_on is not null
         ) counted
        group by merchant_id, mode, period
     ) u on ${sameTenant('u', 'a')} and u.period = a.period
    where coalesce(a.used_minor, 0) <> coalesce(u.used_minor, 0)
   union all
   select a.merchant_id, a.mode, format('%s %s: %s counted, the sandbox’s clock was moved by %s', a.scope, a.period, a.used_minor,
                                        coalesce(c.seconds, 0))
     from limit_usage a
     left join (
       select merchant_id, mode, left(data::json ->> 'advancedAt', 4) as period, sum((data::json ->> 'seconds')::bigint) as seconds
         from events where type = 'sandbox.clock_advanced' group by 1, 2, 3
     ) c on ${sameTenant('c', 'a')} and c.period = a.period and a.scope = 'SANDBOX_CLOCK'
    -- What was moved before it was counted is not in it.
    where a.scope not in ('PAYOUT_DAY', 'COLLECTION_DAY', 'PAYMENT_TAKEN_BACK') and a.used_minor > coalesce(c.seconds, 0)
   union all
   select a.merchant_id, a.mode, format('%s %s: %s counted, payments in come to %s', a.scope, a.period, a.used_minor,
                                        coalesce(p.amount_minor, 0))
     from limit_usage a
     left join (
       select merchant_id, mode, (confirmed_at at time zone 'Africa/Lagos')::date::text as period, sum(amount_minor) as amount_minor
         from inbound_payments group by 1, 2, 3
     ) p on ${sameTenant('p', 'a')} and p.period = a.period
    -- What is held is not counted, nor what came before its merchant had a tier.
    where a.scope = 'COLLECTION_DAY' and a.used_minor > coalesce(p.amount_minor, 0)`,
);

/** A payout is counted when its money is held: a schedule on its day, an item of a batch with its batch. */
const otherDays = check(
  'payouts-are-counted-on-their-day',
  'Every payout whose money was held is counted on the day in Lagos on which it was, or was approved after that.',
  `select p.merchant_id, p.mode,
          format('payout %s was counted on %s, and held at %s', p.id, coalesce(p.counted_on::text, 'no day'),
                 coalesce(b.dispatched_at, h.created_at + greatest(a.updated_at - h.created_at, interval '0'))) as detail
     from payouts p
     left join batches b on ${sameTenant('b', 'p')} and b.id = p.batch_id
     left join transfers h
       on h.merchant_id = p.merchant_id and h.transaction_id = p.id and h.id = p.amount_hold_id
     left join approvals a on ${sameTenant('a', 'p')} and a.id = p.approval_id and a.status = 'APPROVED'
    where p.counted_on is distinct from
          (coalesce(b.dispatched_at, h.created_at + greatest(a.updated_at - h.created_at, interval '0')) at time zone 'Africa/Lagos')::date`,
);

/** The reservations that say what waits or is there, by what has to have made each of them, and when. */
const NOTED = `select merchant_id, mode, 'BENEFICIARY_ACCOUNT' as scope, bank_code || ':' || account_number as value, id as subject_id,
              created_at as reserved_at
         from beneficiaries where status <> 'REMOVED'
        union all
       select merchant_id, mode, 'APPROVAL_WAITS', kind, id, made_at
         from approvals where status = 'PENDING' and kind in ('LIMIT', 'RULES')`;

const KNOWN_SCOPES = ['REFUND', 'BENEFICIARY_ACCOUNT', 'APPROVAL_WAITS', 'APPROVAL_RULES', 'WEBHOOK_SECRET'];

const wrongReservations = check(
  'reservations-are-of-what-made-them',
  'Every reservation is of what made it last: a beneficiary’s account, a change that waits, an amount of a payment that was refunded.',
  `select coalesce(m.merchant_id, n.merchant_id) as merchant_id, coalesce(m.mode, n.mode) as mode,
          format('reservation %s %s of %s: it is of %s', coalesce(m.scope, n.scope), coalesce(m.value, n.value),
                 coalesce(m.subject_id::text, 'nobody'), coalesce(n.subject_id::text, 'nothing')) as detail
     from (select * from reservations where scope in ('BENEFICIARY_ACCOUNT', 'APPROVAL_WAITS')) m
     full join (${NOTED}) n on ${sameTenant('n', 'm')} and n.scope = m.scope and n.value = m.value
    where (m.subject_id, m.reserved_at) is distinct from (n.subject_id, n.reserved_at)
   union all
   -- One that failed has given it free, also where an earlier one of the same amount goes on.
   select m.merchant_id, m.mode, format('reservation %s %s is of %s, which is no refund like that', m.scope, m.value, m.subject_id)
     from (select * from reservations where scope = 'REFUND') m
     left join ${COUNTED_REFUNDS} r on ${sameTenant('r', 'm')} and r.id = m.subject_id
    where (m.value = r.payment_id || '/' || r.amount_minor and m.reserved_at between r.created_at - ${CLOCKS} and r.created_at + ${CLOCKS}) is not true
   union all
   select merchant_id, mode, format('reservation %s %s of %s is of no kind that there is', scope, value, subject_id)
     from reservations
    where scope not in ${wordsOf(KNOWN_SCOPES)} or (scope = 'APPROVAL_RULES' and value <> 'IN_FORCE')
       or (scope = 'WEBHOOK_SECRET' and value <> 'ROTATED')`,
);

export const guardChecks: readonly Check[] = [wrongUniqueKeys, wrongLimitUsage, otherDays, wrongReservations];
