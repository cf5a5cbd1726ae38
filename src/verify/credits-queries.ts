import { openCreditDigest } from '../collections/index.ts';
import { PAYER_SCENARIOS } from '../rails/index.ts';
import {
  CHANNELS_SINCE,
  type Check,
  CLOCKS,
  check,
  LATEST,
  NOBODY,
  SOON,
  sameTenant,
  signsOf,
  valuesOf,
} from './queries.ts';

/** The state that each event of a payment in reports. */
const REPORTED_STATE = `case v.type when 'inbound_payment.credited' then 'CREDITED' when 'inbound_payment.held' then 'SUSPENSE'
              when 'inbound_payment.pending' then 'PENDING_SETTLEMENT'
              when 'inbound_payment.returned' then 'RETURNED' when 'inbound_payment.kept' then 'KEPT' end`;

/** What was taken of it, once a wallet has it. Events from before there were fees do not say it. */
const charged = (sum: string, before = '0') =>
  `case when e."its net" is not null or p.fee_minor + p.vat_minor > 0
             then case when s.state = 'CREDITED' then ${sum} else ${before} end / 100.0 end`;

/** What of it was kept, once a wallet has it. Events from before there was a reserve do not say it. */
const KEPT = `case when e."its reserve" is not null or p.reserve_minor > 0
             then case when s.state = 'CREDITED' then p.reserve_minor else 0 end / 100.0 end`;

/** What a payment is in every event of it: as JSON has it, and as the books do. */
const FACTS: readonly (readonly [key: string, type: string, of: string])[] = [
  ['paymentId', 'uuid', 'p.id'],
  ['walletId', 'uuid', 'p.wallet_id'],
  // Events of an earlier release do not say it.
  [
    'conclusive',
    'boolean',
    `case when e."its conclusive" is not null then s.state not in ('PENDING_SETTLEMENT', 'SUSPENSE') end`,
  ],
  ['creditedWalletId', 'uuid', `case when s.state = 'CREDITED' then coalesce(p.attributed_wallet_id, p.wallet_id) end`],
  ['amount', 'numeric', 'p.amount_minor / 100.0'],
  ['fee', 'numeric', charged('p.fee_minor')],
  ['vat', 'numeric', charged('p.vat_minor')],
  ['net', 'numeric', charged('p.amount_minor - p.fee_minor - p.vat_minor', 'p.amount_minor')],
  ['reserve', 'numeric', KEPT],
  // Events from before payments said how they were paid do not either.
  ['channel', 'text', `case when e.names_channel then p.channel end`],
  ['currency', 'text', 'p.currency'],
  ['accountNumber', 'text', 'p.account_number'],
  ['narration', 'text', 'p.narration'],
  // Events from before payments named customers do not say it.
  ['customerId', 'uuid', `case when e.names_customer then p.customer_id end`],
  ['sessionId', 'text', 'p.session_id'],
  ['providerReference', 'text', 'p.provider_reference'],
  ['mode', 'text', 'p.mode'],
  ['paidAt', 'timestamptz', 'p.paid_at'],
  ['confirmedAt', 'timestamptz', 'p.confirmed_at'],
];
const SAME_FACTS = FACTS.map(([key, , of]) => `e."its ${key}" is not distinct from ${of}`).join('\n           and ');

const otherPayments = check(
  'payments-in-are-reported-as-they-are',
  'Every state of every payment in was reported once, at its moment, with the amount, the wallet, the payer and the words that it has.',
  `with states as (
     select p.merchant_id, p.mode, p.id as subject_id, coalesce(s.from_state, p.status) as state, p.confirmed_at as at
       from inbound_payments p
       left join (
         select merchant_id, mode, subject_id, (array_agg(from_state order by created_at, id))[1] as from_state from state_changes
          where subject = 'inbound_payment' group by merchant_id, mode, subject_id
       ) s on ${sameTenant('s', 'p')} and s.subject_id = p.id
      union all
     select merchant_id, mode, subject_id, to_state, created_at from state_changes where subject = 'inbound_payment'
   )
   select coalesce(s.merchant_id, e.merchant_id) as merchant_id, coalesce(s.mode, e.mode) as mode,
          format('payment %s (%s): %s', coalesce(s.subject_id, e.subject_id), coalesce(s.state, e.state, 'nothing known'),
                 case when e.sequence is null then 'no event reports it'
                      when p.id is null then 'event ' || e.sequence || ' reports it, and it never was'
                      else 'event ' || e.sequence || ' reports it differently' end) as detail
     from states s
     left join inbound_payments p on ${sameTenant('p', 's')} and p.id = s.subject_id
     full join (
       select v.merchant_id, v.mode, v.subject_id, v.sequence, v.created_at, ${REPORTED_STATE} as state, x.status, x.reason,
              v.data::json -> 'customerId' is not null as names_customer, v.data::json -> 'channel' is not null as names_channel,
              x."updatedAt" as updated_at, y.name as payer_name, y."accountNumber" as payer_account_number,
              y."bankName" as payer_bank_name, ${FACTS.map(([key]) => `x."${key}" as "its ${key}"`).join(', ')}
         from events v
        cross join lateral json_to_record(v.data::json)
                as x (status text, reason text, "updatedAt" timestamptz, payer json,
                      ${FACTS.map(([key, type]) => `"${key}" ${type}`).join(', ')})
        cross join lateral json_to_record(x.payer) as y (name text, "accountNumber" text, "bankName" text)
        where v.type like 'inbound_payment.%'
     ) e on ${sameTenant('e', 's')} and e.subject_id = s.subject_id and e.state = s.state
    where (e.created_at = s.at and e.updated_at = s.at and e.status = s.state
           and (s.state <> p.status or e.reason is not distinct from p.reason and p.updated_at = s.at)
           -- What is settled is credited as it waited; what went back has no reason any more.
           and (s.state <> 'PENDING_SETTLEMENT' or p.status <> 'CREDITED' or e.reason is not distinct from p.reason)
           -- Nothing else holds a payment.
           and (s.state <> 'SUSPENSE' or e.reason in ('MERCHANT_SUSPENDED', 'ACCOUNT_CLOSED', 'UNDER_REVIEW', 'TIER_LIMIT'))
           and (e.payer_name, e.payer_account_number, e.payer_bank_name)
               is not distinct from (p.payer_name, p.payer_account_number, p.payer_bank_name)
           and ${SAME_FACTS}) is not true`,
);

/** Under what a reported credit is kept: that it went back is a matter of its own. */
const KEY = `case when c.credit_key like 'reversal:%'
                  then 'reversal:' || coalesce(c.provider_transaction_id, c.provider_reference, c.session_id)
                  else coalesce('id:' || c.provider_transaction_id, 'ref:' || c.provider_reference, 'session:' || c.session_id) end`;

/** Every name under which a payment's transfer may have been reported. */
const NAMES = `select rail, mode, 'id:' || provider_transaction_id as credit_key from inbound_payments
        union
       select rail, mode, 'ref:' || provider_reference from inbound_payments where provider_reference is not null
        union
       select rail, mode, 'session:' || session_id from inbound_payments where session_id is not null`;

/** The longest pause between two questions is six hours. */
const otherCredits = check(
  'reported-credits-are-kept-until-they-end',
  'Every credit that was reported and not confirmed is asked about until it ends; what people have to decide was confirmed by its provider, what is done with is a payment, and nobody else wrote in it.',
  `select coalesce(d.merchant_id, ${NOBODY}) as merchant_id, c.mode,
          format('credit %s of %s (%s, %s), asked about %s times, due at %s: %s', c.credit_key, c.rail, c.status,
                 coalesce(c.reason, 'no reason'), c.attempts, coalesce(c.due_at::text, 'no time'),
                 coalesce('payment by ' || p.credit_key, 'no payment')) as detail
     from open_credits c
     left join (${NAMES}) p on p.rail = c.rail and p.mode = c.mode and p.credit_key = c.credit_key
     left join credit_directory d on d.rail = c.rail and d.provider_transaction_id = c.provider_transaction_id
     left join inbound_payments i on ${sameTenant('i', 'd')} and i.id = d.payment_id
    cross join ${LATEST} latest
    cross join lateral json_to_record(coalesce(c.confirmed, '{}')::json)
            as x ("providerTransactionId" text, "amountMinor" bigint, "sessionId" text, mode text)
    where (c.digest = ${openCreditDigest('c')} and c.credit_key = ${KEY} and c.attempts >= 1 and c.first_seen_at <= c.updated_at + ${CLOCKS}
           and c.source in ('WEBHOOK', 'POLL', 'CHECK')
           and (c.status in ('DONE', 'RETURNED', 'DISMISSED')) = (c.reason is null and c.status not in ('WAITING', 'UNCONFIRMED', 'FAILED'))
           and (c.status <> 'DONE' or p.credit_key is not null)
           and (c.status <> 'WAITING' or c.due_at between c.updated_at and greatest(c.updated_at + interval '6 hours', latest.at + ${SOON}))
           and (c.status not in ('NO_OWNER', 'CONTRADICTED') or x."amountMinor" is not null)
           and (c.confirmed is null or c.reason = 'OTHER_TRANSACTION' or c.provider_transaction_id is null
                or x."providerTransactionId" = c.provider_transaction_id)
           and (c.reason is distinct from 'AMOUNT_CHANGED' or i.id is null or x."amountMinor" <> i.amount_minor)) is not true`,
);

const wrongPolls = check(
  'lists-of-credits-are-read-to-their-end',
  'No provider’s list of credits counts as read further than it was, and no process has kept it longer than a list takes.',
  `select ${NOBODY} as merchant_id, mode,
          format('the list of %s was read to %s, whole to %s, last at %s, and is kept until %s', rail, polled_to, deep_polled_at,
                 coalesce(last_poll_at::text, 'no time'), coalesce(leased_until::text, 'no time')) as detail
     from credit_polls
    where deep_polled_at > polled_to or polled_to > coalesce(last_poll_at, leased_until, polled_to)
       or leased_until > greatest(polled_to, last_poll_at, now()) + interval '1 hour'`,
);

/** Of each simulated payer: how its credit stands in the end, its webhooks, and what queries are counted. */
const SCENARIOS = valuesOf(
  PAYER_SCENARIOS.map(({ name, status, first, webhooks }) => [
    name,
    status,
    String(webhooks.length),
    `{${webhooks.map(({ seconds }) => seconds).join(',')}}`,
    first?.queries === undefined ? 'NOT_COUNTED' : 'COUNTED',
    name === 'paid' ? 'STAYS' : 'MOVES',
  ]),
);

/** The last hour of the last list was read with it; a day later what is older was, too. */
const READ = `r.paid_at + interval '61 seconds' <= l.polled_to
                and (r.paid_at > l.polled_to - interval '1 hour' or r.paid_at < l.polled_to - interval '25 hours')`;

/** By how many seconds the sandbox's clock was moved since each payer paid, at most and at least, as clocks differ, and when last. */
const MOVED = `select merchant_id, mode, id, sum(seconds) over (partition by merchant_id, mode order by most_at desc) as most,
              sum(seconds) over (partition by merchant_id, mode order by least_at desc) as least,
              max(most_at) filter (where id is null) over (partition by merchant_id, mode) as last_at
         from (
           select merchant_id, mode, id, paid_at as most_at, paid_at as least_at, 0 as seconds from sandbox_credits
            union all
           select merchant_id, mode, null, created_at + ${CLOCKS}, created_at - ${CLOCKS}, (data::json ->> 'seconds')::bigint
             from events where type = 'sandbox.clock_advanced'
         ) moments`;

const PAYER = ['payer_name', 'payer_account_number', 'payer_bank_name', 'narration']
  .map((column) => `${signsOf(`p.${column}`)} = ${signsOf(`r.${column}`)}`)
  .join(' and ');

/** Of wallets, and of payment sessions. */
const SANDBOX_NUMBERS = `select merchant_id, mode, account_number, wallet_id from account_numbers
        union
       select merchant_id, mode, account_number, wallet_id from receiving_numbers where rail = 'sandbox'`;

const otherBook = check(
  'the-sandbox-bank-has-the-same-payments',
  'The sandbox bank’s own book has every payment in that came from there, of the same amount to the same account by the same payer, and nothing that arrived there and was listed is missing.',
  `select coalesce(r.merchant_id, p.merchant_id) as merchant_id, coalesce(r.mode, p.mode) as mode,
          format('payment %s of %s to %s: the bank has %s of %s to %s %s, %s', coalesce(p.id::text, 'none'), p.amount_minor,
                 p.account_number, coalesce(r.id, 'nothing'), r.amount_minor, r.account_number, r.scenario, r.status) as detail
     from sandbox_credits r
     left join ${SCENARIOS} as s (name, status, webhooks, seconds, queries, clock) on s.name = r.scenario
     left join (${SANDBOX_NUMBERS}) a on ${sameTenant('a', 'r')} and a.account_number = r.account_number
     left join (${MOVED}) t on ${sameTenant('t', 'r')} and t.id = r.id
     left join credit_polls l on l.rail = 'sandbox'
     left join open_credits c on c.rail = 'sandbox' and c.credit_key = 'id:' || r.id
     full join (select * from inbound_payments where rail = 'sandbox') p
       on ${sameTenant('p', 'r')} and p.provider_transaction_id = r.id
    where (r.status = s.status
           and r.id like 'sbx\\_' || replace(r.merchant_id::text, '-', '') || '\\_%' and length(r.id) = 69
            and left(r.session_id, 18) = '999999' || to_char(r.paid_at at time zone 'UTC', 'YYMMDDHH24MISS')
            and case s.clock when 'STAYS' then r.counted_from = r.paid_at
                            else r.counted_from >= r.paid_at - t.most * interval '1 second'
                                 -- What has come to its end a day before is not moved any more.
                                 and (r.counted_from <= r.paid_at - t.least * interval '1 second'
                                      or greatest(r.counted_from, r.next_webhook_at) <= t.last_at - interval '1 day') end
            and r.webhooks_delivered between 0 and s.webhooks::int
            and r.next_webhook_at is not distinct from
                r.counted_from + (s.seconds::int[])[r.webhooks_delivered + 1] * interval '1 second'
            and (s.queries = 'COUNTED' or r.queries = 0) and r.queries >= 0
            and case when p.id is null
                     then r.currency = 'NGN' and a.wallet_id is not null
                          and (r.status <> 'SUCCESS' or c.rail is not null or (${READ}) is not true)
                     else r.status <> 'FAILED' and p.amount_minor = r.amount_minor and p.currency = r.currency
                          and p.account_number = r.account_number and p.paid_at = r.paid_at
                          -- A card has no session of the interbank network.
                          and p.session_id is not distinct from case r.channel when 'CARD' then null else r.session_id end
                          and (p.channel = r.channel or p.channel is null and p.confirmed_at < ${CHANNELS_SINCE})
                          and ${PAYER} end) is not true`,
);

const EVENT_CREDITS = `select v.merchant_id, v.mode, v.sequence, v.created_at, c.id, c."sessionId" as session_id,
              c."accountNumber" as account_number, c.amount, c.currency, c.scenario, c.channel, y.name as payer_name,
              y."accountNumber" as payer_account_number, y."bankName" as payer_bank_name, c.narration, c."paidAt" as paid_at
         from events v
        cross join lateral json_to_recordset(v.data::json -> 'credits')
                as c (id text, "sessionId" text, "accountNumber" text, amount numeric, currency text, scenario text, channel text, payer json,
                      narration text, "paidAt" timestamptz)
        cross join lateral json_to_record(c.payer) as y (name text, "accountNumber" text, "bankName" text)
        where v.type = 'sandbox.account_paid'`;

const otherPayers = check(
  'simulated-payers-are-reported-as-they-paid',
  'Every credit in the sandbox bank’s own book was reported once, when its payer paid it, as it is.',
  `select coalesce(r.merchant_id, e.merchant_id) as merchant_id, coalesce(r.mode, e.mode) as mode,
          format('credit %s of %s to %s by %s: reported was %s to %s by %s', coalesce(r.id, e.id), r.amount_minor, r.account_number,
                 r.payer_name, coalesce(e.amount::text, 'nothing'), e.account_number, e.payer_name) as detail
     from sandbox_credits r
     full join (${EVENT_CREDITS}) e on ${sameTenant('e', 'r')} and e.id = r.id
    where (e.amount = r.amount_minor / 100.0 and e.created_at = r.paid_at and e.paid_at = r.paid_at
           and (e.session_id, e.account_number, e.currency, e.scenario, e.payer_name, e.payer_account_number, e.payer_bank_name)
               = (r.session_id, r.account_number, r.currency, r.scenario, r.payer_name, r.payer_account_number, r.payer_bank_name)
           -- Earlier payers paid by transfer alone.
           and coalesce(e.channel, 'BANK_TRANSFER') = r.channel
           and e.narration is not distinct from r.narration) is not true`,
);

export const creditChecks: readonly Check[] = [otherPayments, otherCredits, wrongPolls, otherBook, otherPayers];
