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

/** What has to arrive for a session `s`: a fee that the provider adds for itself is not in what it reports. */
const DUE = 's.amount_minor + s.fee_minor + s.vat_minor';

const unpaid = check(
  'sessions-are-paid-by-their-payments',
  'Every payment session is paid where as much came as its rule asks for while it could be paid, and no other is.',
  `select s.merchant_id, s.mode, format('session %s is %s (%s): %s of %s came in time', s.id, s.status, s.amount_rule,
                                        coalesce(p.in_time, 0), ${DUE}) as detail
     from payment_sessions s
     left join (
       select merchant_id, mode, session_id,
              sum(amount_minor) filter (where note is distinct from 'LATE' and note is distinct from 'SECOND_PAYMENT') as in_time,
              (array_agg(received_at order by version desc)
                 filter (where note is distinct from 'LATE' and note is distinct from 'SECOND_PAYMENT'))[1] as paid_at,
              bool_or(note = 'SECOND_PAYMENT') as was_paid, bool_or(note = 'LATE') as was_late
         from payment_session_payments group by merchant_id, mode, session_id
     ) p on ${sameTenant('p', 's')} and p.session_id = s.id
    where (s.status = 'PAID') <> (coalesce(p.in_time, 0) >= case s.amount_rule when 'ANY' then 1 else ${DUE} end)
       or (s.status = 'PARTIALLY_PAID' and coalesce(p.in_time, 0) = 0)
       or (s.status = 'OPEN' and p.in_time is not null)
       or (p.was_paid and s.status <> 'PAID')
       or (p.was_late and s.status not in ('EXPIRED', 'CANCELLED', 'FAILED'))
       or s.paid_at is distinct from case when s.status = 'PAID' then p.paid_at end
       -- A worker ends it at its time, and asks the provider again until it is opened.
       or case when s.status = 'OPENING' then s.due_at is null
               else s.due_at is distinct from case when s.status in ('OPEN', 'PARTIALLY_PAID') then s.expires_at end end`,
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
     left join receiving_numbers o
       on o.rail = n.rail and o.account_number = n.account_number and o.opened_at = n.closed_at
      and o.virtual_account_id <> n.virtual_account_id
    where (${sameTenant('n', 'a')} and n.wallet_id = s.wallet_id and s.opened_at = a.opened_at
           -- It is closed where the provider gave the number again.
           and (n.closed_at is null or o.rail is not null)) is not true
   union all
   select s.merchant_id, s.mode, format('session %s (%s) has no %s', s.id, s.status, lower(s.opens))
     from payment_sessions s
     left join (
       select merchant_id, mode, session_id from payment_session_accounts group by merchant_id, mode, session_id
     ) a on ${sameTenant('a', 's')} and a.session_id = s.id
     left join receiving_numbers n
       on n.rail = s.rail and n.account_number = replace(s.id::text, '-', '') and n.virtual_account_id = s.id
    where s.opened_at is not null
      and case s.opens when 'ACCOUNT' then a.session_id is null or s.page_url is not null or s.page_channels <> ''
               else s.page_channels !~ '^[A-Z_]+( [A-Z_]+)*$' or s.page_url is null or (${sameTenant('n', 's')} and n.wallet_id = s.wallet_id) is not true end
   union all
   select n.merchant_id, n.mode, format('number %s at %s leads to session %s, which never showed it', n.account_number, n.rail, s.id)
     from receiving_numbers n
     join payment_sessions s on ${sameTenant('s', 'n')} and s.id = n.virtual_account_id
     left join payment_session_accounts a
       on ${sameTenant('a', 's')} and a.session_id = s.id and a.account_number = n.account_number
    where (n.rail = s.rail and n.wallet_id = s.wallet_id
           and (a.session_id is not null or s.opens = 'PAGE' and n.account_number = replace(s.id::text, '-', '')
                -- The worker that reserved it died before it was shown.
                or s.opened_at is null or n.opened_at < s.opened_at)) is not true`,
);

/** Events from before customers could bear the fee say nothing of it. */
const quoted = (of: string) => `case when e."its feeBearer" is not null or s.fee_bearer = 'CUSTOMER' then ${of} end`;

/** What a session is in every event of it: as JSON has it, and as its row does. */
const FACTS: readonly (readonly [key: string, type: string, of: string])[] = [
  ['sessionId', 'uuid', 's.id'],
  ['reference', 'text', 's.reference'],
  ['amount', 'numeric', 's.amount_minor / 100.0'],
  ['currency', 'text', 's.currency'],
  ['amountRule', 'text', 's.amount_rule'],
  ['feeBearer', 'text', quoted('s.fee_bearer')],
  ['fee', 'numeric', quoted('s.fee_minor / 100.0')],
  ['vat', 'numeric', quoted('s.vat_minor / 100.0')],
  ['description', 'text', 's.description'],
  ['metadata', 'json', 's.metadata'],
  ['returnUrl', 'text', 's.return_url'],
  ['cancelUrl', 'text', 's.cancel_url'],
  ['walletId', 'uuid', 's.wallet_id'],
  ['openedBy', 'text', 's.opened_by'],
  ['mode', 'text', 's.mode'],
  ['linkId', 'uuid', 's.link_id'],
  ['customerId', 'uuid', 's.customer_id'],
  ['createdAt', 'timestamptz', 's.created_at'],
];
const SAME_FACTS = FACTS.map(
  ([key, type, of]) => `e."its ${key}"${type === 'json' ? '::text' : ''} is not distinct from ${of}`,
).join('\n           and ');

/** Every version of every session, as the event of it says, with the state before it and the sum of what came by then. */
const REPORTED = `select v.merchant_id, v.mode, v.subject_id, v.type, v.created_at, x.*, y.*, c.name as customer_name,
              c.email as customer_email, c."phoneNumber" as customer_phone, ${FACTS.map(([key]) => `f."${key}" as "its ${key}"`).join(', ')},
              array_to_string(array(select json_array_elements_text(x.channels)), ' ') as named_channels,
              lag(x.status) over versions as before, sum(coalesce(y.amount, 0)) over versions as sum
         from events v
        cross join lateral json_to_record(v.data::json)
                as f (${FACTS.map(([key, type]) => `"${key}" ${type}`).join(', ')})
        cross join lateral json_to_record(v.data::json)
                as x (version integer, status text, conclusive boolean, payable boolean, "amountToPay" numeric, received numeric,
                      outstanding numeric, excess numeric, channels json, accounts json, "ussdCode" text, "pageUrl" text,
                      "expiresAt" timestamptz, reason text, message text, customer json, "unpricedByServer" boolean,
                      "openedAt" timestamptz, "paidAt" timestamptz, "updatedAt" timestamptz, payment json)
        cross join lateral json_to_record(x.customer) as c (name text, email text, "phoneNumber" text)
        cross join lateral json_to_record(coalesce(x.payment, '{}')) as y ("paymentId" uuid, amount numeric, note text,
                                                                           "receivedAt" timestamptz)
        where v.type like 'payment_session.%'
       window versions as (partition by v.merchant_id, v.mode, v.subject_id order by x.version)`;

/** What an event says of its version follows from the rest of it. */
const FOLLOWS = `e.payable = (e.status in ('OPEN', 'PARTIALLY_PAID'))
           and e.conclusive = (e.status in ('PAID', 'EXPIRED', 'CANCELLED', 'FAILED'))
           and e.excess = greatest(e.received - e."amountToPay", 0)
           and e.outstanding = case when s.amount_rule = 'ANY' and e.received > 0 or e.received >= (${DUE}) / 100.0 then 0
                                    else greatest(e."amountToPay" - e.received, 0) end
           and e.received = e.sum and e."updatedAt" = e.created_at
           and (e.type in ('payment_session.created', 'payment_session.payment_received')
                or e.type = 'payment_session.' || lower(e.status) or e.type = 'payment_session.opened' and e.payable)
           and e."amountToPay" = case e.status when 'OPENING' then ${DUE}
                                         else s.payable_minor end / 100.0
           and e."openedAt" is not distinct from case when e.status <> 'OPENING' then s.opened_at end
           and e."paidAt" is not distinct from case when e.status = 'PAID' then s.paid_at end
           and e."ussdCode" is not distinct from case when e.payable then s.ussd_code end
           and e."pageUrl" is not distinct from case when e.payable then s.page_url end
           and e."unpricedByServer" = (s.opened_by = 'PUBLIC_KEY')
           -- A provider may let it expire sooner, and the sandbox's clock does.
           and e."expiresAt" >= s.expires_at and (s.mode = 'SANDBOX' or e.status = 'OPENING' or e."expiresAt" = s.expires_at)
           and (e.version > 1 and not e.payable or num_nonnulls(e.reason, e.message) = 0)
           and (e.version < s.version and not e.conclusive or (e.reason, e.message) is not distinct from (s.reason, s.message))
           and (e.customer_name, e.customer_email) = (s.customer_name, s.customer_email)
           and e.customer_phone is not distinct from s.customer_phone and e.named_channels = s.channels`;

/** Of a SHA-256 in base64url. */
const HASH_LENGTH = 43;

const unreported = check(
  'sessions-are-reported-as-they-are',
  'Every version of a payment session was reported once, as opened and as partly paid where it is both, as it was asked for, with the payment that it is about, and the last one says what the session says.',
  `with reported as materialized (${REPORTED})
   select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          format('session %s (%s, version %s) of %s received %s; %s events report versions up to %s', coalesce(s.id, e.subject_id),
                 coalesce(s.status, 'not there'), s.version, s.amount_minor, s.received_minor, coalesce(e.events, 0),
                 coalesce(e.last, 0)) as detail
     from payment_sessions s
     full join (
       select merchant_id, mode, subject_id, count(distinct (version, type)) as events, count(distinct version) as versions,
              max(version) as last, count(*) filter (where type = 'payment_session.opened' and status = 'PARTIALLY_PAID') as both,
              count(*) filter (where type = 'payment_session.partially_paid' and "paymentId" is null) as partly, count(*) as reports
         from reported group by merchant_id, mode, subject_id
     ) e on ${sameTenant('e', 's')} and e.subject_id = s.id
     left join reported l on ${sameTenant('l', 's')} and l.subject_id = s.id and l.version = s.version
    where (e.reports = e.events and e.events = s.version + e.both and e.partly = e.both
           and e.versions = s.version and e.last = s.version and l.status = s.status
           and l.received = s.received_minor / 100.0 and l."amountToPay" = s.payable_minor / 100.0
           and l.created_at = s.updated_at
           and (s.opened_by = 'PUBLIC_KEY') = (s.origin is not null) and length(s.content_hash) = ${HASH_LENGTH} and s.attempts >= 0
           and (s.checked_at is null or s.checked_at >= s.opened_at)
           and case when s.opened_at is null then s.provider_reference is null
                    -- The sandbox's bank has no other word for it than ours.
                    else s.rail <> 'sandbox' or s.provider_reference = replace(s.id::text, '-', '') end
           -- The sandbox's clock makes open sessions expire sooner.
           and (s.expires_at = l."expiresAt" or s.mode = 'SANDBOX' and s.due_at is not null and s.expires_at < l."expiresAt")
          ) is not true
   union all
   select e.merchant_id, e.mode,
          format('version %s of session %s (%s) is reported otherwise than it was', e.version, e.subject_id, e.status)
     from reported e
     left join payment_sessions s on ${sameTenant('s', 'e')} and s.id = e.subject_id
     left join payment_session_payments p
       on ${sameTenant('p', 'e')} and p.session_id = e.subject_id and p.version = e.version
    where s.id is not null
      and (${SAME_FACTS}
           and ${FOLLOWS}
           and (e."paymentId", e.amount, e.note, e."receivedAt")
               is not distinct from (p.payment_id, p.amount_minor / 100.0, p.note, p.received_at)) is not true
   union all
   select coalesce(c.merchant_id, e.merchant_id), coalesce(c.mode, e.mode),
          format('session %s went from %s to %s, and %s', coalesce(c.subject_id, e.subject_id), coalesce(c.from_state, e.before),
                 coalesce(c.to_state, e.status), case when e.version is null then 'no event says so' else 'took no such step' end)
     from (select * from state_changes where subject = 'payment_session') c
     full join (select * from reported where before <> status) e
       on ${sameTenant('e', 'c')} and e.subject_id = c.subject_id and e.before = c.from_state and e.status = c.to_state
      and e.created_at = c.created_at
    where c.id is null or e.version is null
   union all
   select coalesce(a.merchant_id, e.merchant_id), coalesce(a.mode, e.mode),
          format('session %s shows account %s, and reported was %s', coalesce(a.session_id, e.subject_id),
                 coalesce(a.account_number, 'none'), coalesce(e."accountNumber", 'none'))
     from payment_session_accounts a
     full join (
       select r.merchant_id, r.mode, r.subject_id, n."accountNumber", n."bankCode", n."bankName", n."accountName",
              count(*) as events, max(p.events) as shown
         from reported r
         join (
           select merchant_id, mode, subject_id, count(*) filter (where payable) as events
             from reported group by merchant_id, mode, subject_id
         ) p on ${sameTenant('p', 'r')} and p.subject_id = r.subject_id
        cross join lateral json_to_recordset(r.accounts)
                as n ("accountNumber" text, "bankCode" text, "bankName" text, "accountName" text)
        group by 1, 2, 3, 4, 5, 6, 7
     ) e on ${sameTenant('e', 'a')} and e.subject_id = a.session_id and e."accountNumber" = a.account_number
    where (e.events = e.shown and e."bankCode" is not distinct from a.bank_code and e."bankName" = a.bank_name
           and e."accountName" = a.account_name) is not true`,
);

export const paymentSessionChecks: readonly Check[] = [miscounted, unpaid, astray, unreported];
