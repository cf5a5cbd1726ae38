import { type Check, check, sameTenant } from './queries.ts';

const miscounted = check(
  'sessions-received-their-payments',
  'Every payment session received what its payments in come to, each counted once, and no payment to one of its accounts is left out.',
  `select s.merchant_id, s.mode, format('session %s (%s) received %s, its %s payments come to %s', s.id, s.status,
                                        s.received_minor, coalesce(p.payments, 0), coalesce(p.amount_minor, 0)) as detail
     from payment_sessions s
     left join (
       select merchant_id, mode, session_id, count(*) as payments, sum(amount_minor) as amount_minor
         from payment_session_payments group by merchant_id, mode, session_id
     ) p on ${sameTenant('p', 's')} and p.session_id = s.id
    where s.received_minor <> coalesce(p.amount_minor, 0)
   union all
   select coalesce(c.merchant_id, i.merchant_id), coalesce(c.mode, i.mode),
          format('payment %s of %s for session %s; the payment in is of %s for %s', coalesce(c.payment_id, i.id), c.amount_minor,
                 coalesce(c.session_id::text, 'none'), coalesce(i.amount_minor::text, 'nothing'), i.virtual_account_id)
     from payment_session_payments c
     full join (
       select i.* from inbound_payments i
         join payment_sessions s on ${sameTenant('s', 'i')} and s.id = i.virtual_account_id
     ) i on ${sameTenant('i', 'c')} and i.id = c.payment_id
     left join payment_sessions s on ${sameTenant('s', 'c')} and s.id = c.session_id
    where (i.amount_minor = c.amount_minor and i.virtual_account_id = c.session_id and i.confirmed_at = c.received_at
           and i.wallet_id = s.wallet_id and i.rail = s.rail
           -- What is odd about it stands in both, unless it was held for another reason.
           and (i.reason is not distinct from c.note or i.status <> 'CREDITED' or i.updated_at > i.confirmed_at)) is not true`,
);

const unpaid = check(
  'sessions-are-paid-by-their-payments',
  'Every payment session is paid where as much came as its rule asks for while it could be paid, and no other is.',
  `select s.merchant_id, s.mode, format('session %s is %s (%s): %s of %s came in time', s.id, s.status, s.amount_rule,
                                        coalesce(p.in_time, 0), s.payable_minor) as detail
     from payment_sessions s
     left join (
       select merchant_id, mode, session_id,
              sum(amount_minor) filter (where note is distinct from 'LATE' and note is distinct from 'SECOND_PAYMENT') as in_time,
              bool_or(note = 'SECOND_PAYMENT') as was_paid, bool_or(note = 'LATE') as was_late
         from payment_session_payments group by merchant_id, mode, session_id
     ) p on ${sameTenant('p', 's')} and p.session_id = s.id
    where (s.status = 'PAID') <> (coalesce(p.in_time, 0) >= case s.amount_rule when 'ANY' then 1 else s.payable_minor end)
       or (s.status = 'PARTIALLY_PAID' and coalesce(p.in_time, 0) = 0)
       or (s.status = 'OPEN' and p.in_time is not null)
       or (p.was_paid and s.status <> 'PAID')
       or (p.was_late and s.status not in ('EXPIRED', 'CANCELLED', 'FAILED'))
       or (s.paid_at is not null) <> (s.status = 'PAID')`,
);

const astray = check(
  'numbers-of-sessions-lead-to-them',
  'Every account number of a payment session leads to it and to its wallet, and every session that can be paid has a way to be.',
  `select a.merchant_id, a.mode, format('number %s of session %s leads to %s', a.account_number, a.session_id,
                                        coalesce(n.wallet_id::text, 'nothing')) as detail
     from payment_session_accounts a
     left join payment_sessions s on ${sameTenant('s', 'a')} and s.id = a.session_id
     left join receiving_numbers n
       on n.rail = s.rail and n.account_number = a.account_number and n.virtual_account_id = a.session_id
    where (${sameTenant('n', 'a')} and n.wallet_id = s.wallet_id and s.opened_at = a.opened_at) is not true
   union all
   select s.merchant_id, s.mode, format('session %s (%s) has no %s', s.id, s.status, lower(s.opens))
     from payment_sessions s
     left join (
       select merchant_id, mode, session_id from payment_session_accounts group by merchant_id, mode, session_id
     ) a on ${sameTenant('a', 's')} and a.session_id = s.id
     left join receiving_numbers n
       on n.rail = s.rail and n.account_number = replace(s.id::text, '-', '') and n.virtual_account_id = s.id
    where s.opened_at is not null
      and case s.opens when 'ACCOUNT' then a.session_id is null
               else s.page_url is null or (${sameTenant('n', 's')} and n.wallet_id = s.wallet_id) is not true end`,
);

/** What each version of a session was, by the event that reports it. */
const REPORTED = `select v.merchant_id, v.mode, v.subject_id, v.created_at, x.version, x.status, x.received, x.amount,
                         x."amountToPay" as payable
         from events v
        cross join lateral json_to_record(v.data::json)
                as x (version integer, status text, received numeric, amount numeric, "amountToPay" numeric)
        where v.type like 'payment_session.%'`;

const unreported = check(
  'sessions-are-reported-as-they-are',
  'Every version of a payment session was reported once, and the last one says what the session says.',
  `select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          format('session %s (%s, version %s) of %s received %s; %s events report versions up to %s', coalesce(s.id, e.subject_id),
                 coalesce(s.status, 'not there'), s.version, s.amount_minor, s.received_minor, coalesce(e.events, 0),
                 coalesce(e.last, 0)) as detail
     from payment_sessions s
     full join (
       select merchant_id, mode, subject_id, count(*) as events, count(distinct version) as versions, max(version) as last
         from (${REPORTED}) v group by merchant_id, mode, subject_id
     ) e on ${sameTenant('e', 's')} and e.subject_id = s.id
     left join (${REPORTED}) l on ${sameTenant('l', 's')} and l.subject_id = s.id and l.version = s.version
    where (e.events = s.version and e.versions = s.version and e.last = s.version and l.status = s.status
           and l.received = s.received_minor / 100.0 and l.amount = s.amount_minor / 100.0
           and l.payable = s.payable_minor / 100.0 and l.created_at = s.updated_at) is not true`,
);

export const paymentSessionChecks: readonly Check[] = [miscounted, unpaid, astray, unreported];
