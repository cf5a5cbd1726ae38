import { evidenceDigest } from '../collections/index.ts';
import { CHANNELS_SINCE, type Check, CLOCKS, check, sameTenant, signsOf } from './queries.ts';

const wrongPostings = check(
  'inbound-payments-are-posted-once',
  'Every payment in moved its amount once, from what its provider owes to its wallet, to what waits for its settlement or to suspense, and nothing else came from there.',
  `select coalesce(p.merchant_id, t.merchant_id) as merchant_id, coalesce(p.mode, t.mode) as mode,
          format('payment %s (%s) of %s from %s: %s postings of %s to %s', coalesce(p.id, t.transaction_id),
                 coalesce(p.status, 'not there'), p.amount_minor, p.receivable_id, coalesce(t.postings, 0), t.amount_minor,
                 t.kinds) as detail
     from inbound_payments p
     full join (
       select t.merchant_id, t.mode, t.transaction_id, count(*) as postings, sum(t.amount_minor) as amount_minor,
              min(t.debit_account_id::text)::uuid as debit_account_id, min(t.credit_account_id::text)::uuid as credit_account_id,
              min(t.created_at) as created_at, string_agg(c.kind, ', ') as kinds, min(t.code) as code,
              bool_and(t.kind = 'POSTED') as are_posted
         from transfers t
         join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id and d.kind = 'COLLECTION_RECEIVABLE'
         left join accounts c on c.merchant_id = t.merchant_id and c.id = t.credit_account_id
        where t.code in ('COLLECTION', 'COLLECTION_PENDING', 'COLLECTION_SUSPENSE')
        group by t.merchant_id, t.mode, t.transaction_id
     ) t on ${sameTenant('t', 'p')} and t.transaction_id = p.id
    where (t.postings = 1 and t.are_posted and t.amount_minor = p.amount_minor and t.debit_account_id = p.receivable_id
           and t.created_at = p.confirmed_at
           and case t.code when 'COLLECTION' then t.credit_account_id = p.wallet_id and p.status = 'CREDITED'
                           when 'COLLECTION_PENDING' then t.kinds = 'PENDING_COLLECTIONS'
                           else t.kinds = 'SUSPENSE' end) is not true`,
);

/** What the provider reported of the payer is cleaned before it is shown; nothing else is changed. */
const PAYER_FACTS = [
  ['payer_name', 'payerName'],
  ['payer_account_number', 'payerAccountNumber'],
  ['payer_bank_name', 'payerBankName'],
  ['narration', 'narration'],
].map(([column, key]) => `${signsOf(`p.${column}`)} = ${signsOf(`x."${key}"`)}`);

const REPORTED = `json_to_record(e.reported::json)
                as x ("providerTransactionId" text, "providerReference" text, "sessionId" text, "amountMinor" bigint,
                      currency text, "providerFeeMinor" bigint, "accountNumber" text, "accountReference" text, mode text,
                      "paidAt" timestamptz, "payerName" text, "payerAccountNumber" text, "payerBankName" text,
                      narration text, channel text)`;

/** Whose it is, two people said: nothing of the provider's answer does. */
const ATTRIBUTED = `(select * from open_credit_proposals where status = 'CONFIRMED' and action = 'ATTRIBUTE')`;

const unsupported = check(
  'inbound-payments-are-confirmed',
  'Every payment in has a provider’s answer to our own question that confirms this transfer, its amount, its account, its payer and its time, as it was written.',
  `select coalesce(p.merchant_id, e.merchant_id) as merchant_id, coalesce(p.mode, e.mode) as mode,
          format('payment %s of %s by %s (%s): %s answers, %s of them confirm it', coalesce(p.id, e.payment_id),
                 coalesce(p.amount_minor::text, 'nothing'), p.rail, p.provider_transaction_id, coalesce(e.answers, 0),
                 coalesce(e.confirming, 0)) as detail
     from inbound_payments p
     full join (
       select e.merchant_id, e.mode, e.payment_id, count(*) as answers,
              count(*) filter (where e.digest = ${evidenceDigest('e')} and e.outcome = 'confirmed'
                                 and e.received_at <= p.confirmed_at
                                 and x."providerTransactionId" = p.provider_transaction_id
                                 and x."providerReference" is not distinct from p.provider_reference
                                 and x."sessionId" is not distinct from p.session_id
                                 and x."amountMinor" = p.amount_minor and x.currency = p.currency
                                 and x."providerFeeMinor" is not distinct from p.provider_fee_minor
                                 and x."paidAt" is not distinct from p.paid_at
                                 and coalesce(x."accountNumber", p.account_number) = p.account_number
                                 and (o.id is not null
                                      or coalesce(x."accountReference", replace(p.virtual_account_id::text, '-', ''), '')
                                         = coalesce(replace(p.virtual_account_id::text, '-', ''), ''))
                                 and coalesce(x.mode, p.mode) = p.mode
                                 and (x.channel is not distinct from p.channel
                                      or p.channel is null and p.confirmed_at < ${CHANNELS_SINCE})
                                 and ${PAYER_FACTS.join(' and ')}) as confirming
         from inbound_evidence e
         left join inbound_payments p on ${sameTenant('p', 'e')} and p.id = e.payment_id
         left join ${ATTRIBUTED} o on o.rail = p.rail and o.provider_transaction_id = p.provider_transaction_id
              and ${sameTenant('o', 'p')} and o.wallet_id = p.wallet_id
        cross join lateral ${REPORTED}
        group by e.merchant_id, e.mode, e.payment_id
     ) e on ${sameTenant('e', 'p')} and e.payment_id = p.id
    where (p.id is not null and e.confirming >= 1 and e.confirming = e.answers) is not true`,
);

/** A transfer that was noted and is in no books is taken again by the next webhook, retry or list: days are too long. */
const otherPayments = check(
  'transfers-lead-to-their-payments',
  'Every payment in is the one that its transfer at the provider leads to, and every transfer that was noted became its payment within days.',
  `select coalesce(p.merchant_id, d.merchant_id) as merchant_id, coalesce(p.mode, d.mode) as mode,
          format('payment %s by %s (%s, session %s): %s (%s, session %s) leads to %s', coalesce(p.id::text, 'none'), p.rail,
                 p.provider_transaction_id, coalesce(p.session_id, 'none'), coalesce(d.rail, 'nothing'),
                 d.provider_transaction_id, coalesce(d.session_id, 'none'), coalesce(d.payment_id::text, 'nothing')) as detail
     from inbound_payments p
     full join credit_directory d on ${sameTenant('d', 'p')} and d.payment_id = p.id
    where case when p.id is null then d.noted_at < now() - interval '4 days'
               else (d.rail = p.rail and d.provider_transaction_id = p.provider_transaction_id and d.wallet_id = p.wallet_id
                     and d.virtual_account_id is not distinct from p.virtual_account_id
                     and d.session_id is not distinct from p.session_id and d.account_number = p.account_number
                     and d.noted_at <= p.confirmed_at + ${CLOCKS}) is not true end`,
);

/** A number may be given again once it is closed; the account that it was then stays the one of the payment. */
const strayNumbers = check(
  'payments-are-to-numbers-of-their-wallets',
  'Every payment in was paid to an account number of the wallet that has it.',
  `select p.merchant_id, p.mode,
          format('payment %s by %s to %s (account %s): wallet %s', p.id, p.rail, p.account_number,
                 coalesce(p.virtual_account_id::text, 'none'), p.wallet_id) as detail
     from inbound_payments p
     left join (
       select merchant_id, mode, rail, virtual_account_id, wallet_id, count(*) as numbers, array_agg(account_number) as them
         from receiving_numbers group by merchant_id, mode, rail, virtual_account_id, wallet_id
     ) r on ${sameTenant('r', 'p')} and r.rail = p.rail and r.virtual_account_id = p.virtual_account_id and r.wallet_id = p.wallet_id
     left join account_numbers a on ${sameTenant('a', 'p')} and a.account_number = p.account_number and a.wallet_id = p.wallet_id
     left join (
       select distinct merchant_id, mode, payment_id from inbound_evidence
        where reported::json ->> 'accountReference' is not null
     ) e on ${sameTenant('e', 'p')} and e.payment_id = p.id
     left join ${ATTRIBUTED} o on o.rail = p.rail and o.provider_transaction_id = p.provider_transaction_id
          and ${sameTenant('o', 'p')} and o.wallet_id = p.wallet_id
    where (o.id is not null
           or case when p.virtual_account_id is null then p.rail = 'sandbox' and a.account_number is not null
                -- By our reference it is the account's, whichever number the provider calls it.
                else r.numbers > 0 and (e.payment_id is not null or p.account_number = any (r.them)) end) is not true`,
);

/** Of its number, or of the payment session that it came for. */
const otherCustomers = check(
  'payments-are-of-the-customers-of-their-numbers',
  'Every payment in names the customer whose account number it was paid to, or whom its payment session names, and no other; what was paid after the account was closed went to suspense.',
  `select p.merchant_id, p.mode,
          format('payment %s (%s, %s) of customer %s at %s: its account is of %s, closed at %s', p.id, p.status,
                 coalesce(p.reason, 'no reason'), coalesce(p.customer_id::text, 'none'), coalesce(p.paid_at, p.confirmed_at),
                 coalesce(v.customer_id, s.customer_id)::text, coalesce(v.closed_at::text, 'no time')) as detail
     from inbound_payments p
     left join virtual_accounts v on ${sameTenant('v', 'p')} and v.id = p.virtual_account_id
     left join payment_sessions s on ${sameTenant('s', 'p')} and s.id = p.virtual_account_id
    where p.customer_id is distinct from coalesce(v.customer_id, s.customer_id)
       or (v.closed_at + ${CLOCKS} <= coalesce(p.paid_at, p.confirmed_at) and p.status = 'CREDITED'
           and p.attributed_wallet_id is null)
       or (p.reason = 'ACCOUNT_CLOSED'
           and (v.closed_at <= coalesce(p.paid_at, p.confirmed_at + ${CLOCKS}) and p.status = 'SUSPENSE') is not true)`,
);

const wrongReceivables = check(
  'receivables-are-what-providers-owe',
  'Every receivable account is what was confirmed through its provider account, less what was settled, what was returned before it was, what the provider refunded and what disputes took, and what was deducted from settlements.',
  `select a.merchant_id, a.mode, format('receivable %s says %s and %s is owed', a.id,
                                        a.debits_posted_minor - a.credits_posted_minor,
                                        coalesce(p.owed, 0) - coalesce(c.taken, 0) + coalesce(d.deducted, 0)) as detail
     from accounts a
     left join (
       select i.merchant_id, i.mode, i.receivable_id,
              coalesce(sum(i.amount_minor) filter (where i.status <> 'RETURNED' and s.payment_id is null), 0)
              - coalesce(sum(b.refunded_minor), 0) as owed
         from inbound_payments i
         left join (
           select merchant_id, mode, payment_id, sum(amount_minor) as refunded_minor
             from refunds where way = 'PROVIDER' and status = 'SUCCESS' group by merchant_id, mode, payment_id
         ) b on ${sameTenant('b', 'i')} and b.payment_id = i.id
         left join collection_settlements s on ${sameTenant('s', 'i')} and s.payment_id = i.id
        group by i.merchant_id, i.mode, i.receivable_id
     ) p on ${sameTenant('p', 'a')} and p.receivable_id = a.id
     left join (
       select merchant_id, mode, receivable_id, sum(taken_minor + loss_minor) as taken
         from disputes group by merchant_id, mode, receivable_id
     ) c on ${sameTenant('c', 'a')} and c.receivable_id = a.id
     left join (
       select merchant_id, mode, receivable_id, sum(amount_minor) as deducted from deduction_settlements
        group by merchant_id, mode, receivable_id
     ) d on ${sameTenant('d', 'a')} and d.receivable_id = a.id
    where a.kind = 'COLLECTION_RECEIVABLE'
      and a.debits_posted_minor - a.credits_posted_minor
          <> coalesce(p.owed, 0) - coalesce(c.taken, 0) + coalesce(d.deducted, 0)`,
);

const wrongSuspense = check(
  'suspense-is-what-waits',
  'Every suspense account is the payments in that wait for a decision.',
  `select a.merchant_id, a.mode, format('suspense says %s and %s waits', a.credits_posted_minor - a.debits_posted_minor,
                                        coalesce(p.waiting, 0)) as detail
     from accounts a
     left join (
       select merchant_id, mode, sum(amount_minor) as waiting
         from inbound_payments where status = 'SUSPENSE' group by merchant_id, mode
     ) p on ${sameTenant('p', 'a')}
    where a.kind = 'SUSPENSE' and a.credits_posted_minor - a.debits_posted_minor <> coalesce(p.waiting, 0)`,
);

/** As it came: what a person decided about later names what they decided. */
const wrongRecords = check(
  'credited-payments-are-transactions',
  'Every payment in that was credited is a transaction of its amount and wallet, from its payer and with its words, and no other payment or category is.',
  `select coalesce(p.merchant_id, t.merchant_id) as merchant_id, coalesce(p.mode, t.mode) as mode,
          format('payment %s (%s) of %s to %s by %s; transaction of %s to %s by %s', coalesce(p.id, t.id),
                 coalesce(p.status, 'not there'), p.amount_minor, coalesce(p.attributed_wallet_id, p.wallet_id),
                 coalesce(p.payer_name, 'nobody known'), coalesce(t.amount_minor::text, 'nothing'), t.to_wallet_id,
                 t.originator_account_name) as detail
     from (select * from inbound_payments where status = 'CREDITED') p
     full join (select * from transactions where category = 'COLLECTION') t on ${sameTenant('t', 'p')} and t.id = p.id
    where (t.status = 'SUCCESS' and t.amount_minor = p.amount_minor and t.currency = p.currency
           and t.to_wallet_id = coalesce(p.attributed_wallet_id, p.wallet_id)
           and (t.from_wallet_id <> p.receivable_id
                or t.created_at = p.confirmed_at and t.originator_account_name = coalesce(p.payer_name, 'Unknown payer')
                   and t.originator_account_number = coalesce(p.payer_account_number, '')
                   and t.originator_bank_name = coalesce(p.payer_bank_name, '') and t.originator_bank_code = ''
                   and t.narration = left(coalesce(p.narration, 'Payment from ' || t.originator_account_name), 100))) is not true`,
);

const otherModes = check(
  'payments-keep-to-their-mode',
  'Every payment in came through a provider account of its own mode, whose receivable it is: play money is never live.',
  `select p.merchant_id, p.mode, format('payment %s came through %s, an account for %s', p.id, p.rail,
                                        coalesce(r.mode, 'nobody')) as detail
     from inbound_payments p
     left join accounts a on ${sameTenant('a', 'p')} and a.id = p.receivable_id and a.kind = 'COLLECTION_RECEIVABLE'
     left join (select name, mode, id from rail_accounts union all select 'sandbox', 'SANDBOX', null) r on r.name = p.rail
    where (r.mode = p.mode and a.owner_id = coalesce(r.id, p.merchant_id)) is not true`,
);

export const collectionChecks: readonly Check[] = [
  wrongPostings,
  unsupported,
  otherPayments,
  strayNumbers,
  otherCustomers,
  wrongReceivables,
  wrongSuspense,
  wrongRecords,
  otherModes,
];
