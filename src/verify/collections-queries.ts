import { evidenceDigest } from '../collections/index.ts';
import { type Check, check, sameTenant } from './queries.ts';

const wrongPostings = check(
  'inbound-payments-are-posted-once',
  'Every payment in moved its amount once, from what its provider owes to its wallet or to suspense, and nothing else came from there.',
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
        where t.code in ('COLLECTION', 'COLLECTION_SUSPENSE')
        group by t.merchant_id, t.mode, t.transaction_id
     ) t on ${sameTenant('t', 'p')} and t.transaction_id = p.id
    where (t.postings = 1 and t.are_posted and t.amount_minor = p.amount_minor and t.debit_account_id = p.receivable_id
           and t.created_at = p.confirmed_at
           and case t.code when 'COLLECTION' then t.credit_account_id = p.wallet_id and p.status = 'CREDITED'
                           else t.kinds = 'SUSPENSE' end) is not true`,
);

const unsupported = check(
  'inbound-payments-are-confirmed',
  'Every payment in has a provider’s answer to our own question that confirms this transfer, its amount and its account, as it was written.',
  `select p.merchant_id, p.mode, format('payment %s of %s by %s (%s): %s answers, %s of them confirm it', p.id, p.amount_minor,
                                        p.rail, p.provider_transaction_id, coalesce(e.answers, 0), coalesce(e.confirming, 0))
            as detail
     from inbound_payments p
     left join (
       select e.merchant_id, e.mode, e.payment_id, count(*) as answers,
              count(*) filter (where e.digest = ${evidenceDigest('e')} and e.outcome = 'confirmed'
                                 and x."providerTransactionId" = p.provider_transaction_id
                                 and x."amountMinor" = p.amount_minor and x.currency = p.currency
                                 and coalesce(x."accountNumber", p.account_number) = p.account_number
                                 and (o.id is not null
                                      or coalesce(x."accountReference", replace(p.virtual_account_id::text, '-', ''), '')
                                         = coalesce(replace(p.virtual_account_id::text, '-', ''), ''))
                                 and coalesce(x.mode, p.mode) = p.mode) as confirming
         from inbound_evidence e
         join inbound_payments p on ${sameTenant('p', 'e')} and p.id = e.payment_id
         -- Whose it is, two people said: nothing of the answer does.
         left join open_credit_proposals o
           on o.rail = p.rail and o.provider_transaction_id = p.provider_transaction_id and o.status = 'CONFIRMED'
          and o.action = 'ATTRIBUTE' and ${sameTenant('o', 'p')} and o.wallet_id = p.wallet_id
        cross join lateral json_to_record(e.reported::json)
                as x ("providerTransactionId" text, "amountMinor" bigint, currency text, "accountNumber" text,
                      "accountReference" text, mode text)
        group by e.merchant_id, e.mode, e.payment_id
     ) e on ${sameTenant('e', 'p')} and e.payment_id = p.id
    where (e.confirming >= 1 and e.confirming = e.answers) is not true`,
);

const otherPayments = check(
  'transfers-lead-to-their-payments',
  'Every payment in is the one that its transfer at the provider leads to.',
  `select p.merchant_id, p.mode, format('payment %s by %s (%s, session %s) leads to %s', p.id, p.rail, p.provider_transaction_id,
                                        coalesce(p.session_id, 'none'), coalesce(d.payment_id::text, 'nothing')) as detail
     from inbound_payments p
     left join credit_directory d on d.rail = p.rail and d.provider_transaction_id = p.provider_transaction_id
    where (${sameTenant('d', 'p')} and d.payment_id = p.id and d.wallet_id = p.wallet_id
           and d.virtual_account_id is not distinct from p.virtual_account_id
           and d.session_id is not distinct from p.session_id) is not true`,
);

const wrongReceivables = check(
  'receivables-are-what-providers-owe',
  'Every receivable account is what was confirmed through its provider account, less what was returned.',
  `select a.merchant_id, a.mode, format('receivable %s says %s and %s was confirmed', a.id,
                                        a.debits_posted_minor - a.credits_posted_minor, coalesce(p.confirmed, 0)) as detail
     from accounts a
     left join (
       select merchant_id, mode, receivable_id, sum(amount_minor) filter (where status <> 'RETURNED') as confirmed
         from inbound_payments group by merchant_id, mode, receivable_id
     ) p on ${sameTenant('p', 'a')} and p.receivable_id = a.id
    where a.kind = 'COLLECTION_RECEIVABLE'
      and a.debits_posted_minor - a.credits_posted_minor <> coalesce(p.confirmed, 0)`,
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

const wrongRecords = check(
  'credited-payments-are-transactions',
  'Every payment in that was credited is a transaction of its amount and wallet, and no other payment or category is.',
  `select coalesce(p.merchant_id, t.merchant_id) as merchant_id, coalesce(p.mode, t.mode) as mode,
          format('payment %s (%s) of %s to %s; transaction of %s to %s', coalesce(p.id, t.id), coalesce(p.status, 'not there'),
                 p.amount_minor, coalesce(p.attributed_wallet_id, p.wallet_id), coalesce(t.amount_minor::text, 'nothing'), t.to_wallet_id) as detail
     from (select * from inbound_payments where status = 'CREDITED') p
     full join (select * from transactions where category = 'COLLECTION') t on ${sameTenant('t', 'p')} and t.id = p.id
    where (t.status = 'SUCCESS' and t.amount_minor = p.amount_minor and t.to_wallet_id = coalesce(p.attributed_wallet_id, p.wallet_id)) is not true`,
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

const wrongNumbers = check(
  'numbers-at-providers-lead-to-their-wallets',
  'Every account number of a wallet at a provider leads to that wallet, and is of an account that was opened.',
  `select n.merchant_id, n.mode, format('number %s of wallet %s (account %s, %s) leads to %s', n.account_number, n.wallet_id,
                                        n.virtual_account_id, coalesce(v.status, 'not there'),
                                        coalesce(d.wallet_id::text, 'nothing')) as detail
     from virtual_account_numbers n
     left join virtual_accounts v on ${sameTenant('v', 'n')} and v.id = n.virtual_account_id
     left join receiving_numbers d
       on d.rail = v.rail and d.account_number = n.account_number and d.virtual_account_id = n.virtual_account_id
    where (v.wallet_id = n.wallet_id and v.status in ('OPEN', 'CLOSED') and ${sameTenant('d', 'n')} and d.wallet_id = n.wallet_id
           and (n.closed_at is null) = (v.status = 'OPEN')
           and d.closed_at is not distinct from n.closed_at) is not true`,
);

export const collectionChecks: readonly Check[] = [
  wrongPostings,
  unsupported,
  otherPayments,
  wrongReceivables,
  wrongSuspense,
  wrongRecords,
  otherModes,
  wrongNumbers,
];
