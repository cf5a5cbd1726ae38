import { type Check, check } from './queries.ts';

const unequalBooks = check(
  'debits-equal-credits',
  'Debits equal credits in every merchant’s books, by mode and currency, posted and pending.',
  `select merchant_id, mode,
          format('%s: debits posted %s, credits posted %s, debits pending %s, credits pending %s', currency,
                 sum(debits_posted_minor), sum(credits_posted_minor),
                 sum(debits_pending_minor), sum(credits_pending_minor)) as detail
     from accounts
    group by merchant_id, mode, currency
   having sum(debits_posted_minor) <> sum(credits_posted_minor)
       or sum(debits_pending_minor) <> sum(credits_pending_minor)`,
);

const sumsOf = (side: 'debit' | 'credit') =>
  `select merchant_id, ${side}_account_id as id, count(*) as transfers,
          coalesce(sum(amount_minor) filter (where kind in ('POSTED', 'POST')), 0) as posted,
          coalesce(sum(case when kind = 'PENDING' then amount_minor else -amount_minor end)
                     filter (where kind in ('PENDING', 'POST', 'VOID')), 0) as pending
     from transfers
    group by merchant_id, ${side}_account_id`;

const accountsUnlikeTransfers = check(
  'accounts-equal-transfers',
  'Every account’s sums and sequence are those of its transfers.',
  `select a.merchant_id, a.mode,
          format('account %s (%s): debits posted %s, by its transfers %s; credits posted %s, by its transfers %s; '
                 'debits pending %s, by its transfers %s; credits pending %s, by its transfers %s; '
                 'sequence %s, transfers %s',
                 a.id, a.kind, a.debits_posted_minor, coalesce(d.posted, 0), a.credits_posted_minor,
                 coalesce(c.posted, 0), a.debits_pending_minor, coalesce(d.pending, 0), a.credits_pending_minor,
                 coalesce(c.pending, 0), a.sequence, coalesce(d.transfers, 0) + coalesce(c.transfers, 0)) as detail
     from accounts a
     left join (${sumsOf('debit')}) d on d.merchant_id = a.merchant_id and d.id = a.id
     left join (${sumsOf('credit')}) c on c.merchant_id = a.merchant_id and c.id = a.id
    where a.debits_posted_minor <> coalesce(d.posted, 0) or a.credits_posted_minor <> coalesce(c.posted, 0)
       or a.debits_pending_minor <> coalesce(d.pending, 0) or a.credits_pending_minor <> coalesce(c.pending, 0)
       or a.sequence <> coalesce(d.transfers, 0) + coalesce(c.transfers, 0)`,
);

/** By induction: a first entry that starts from nothing and steps that all follow make every balance the running one. */
const brokenSteps = check(
  'transfers-follow-each-other',
  'The transfers of every account follow each other from 1 without a gap, each with the running balance.',
  `select merchant_id, mode,
          format('account %s, transfer %s: sequence %s after %s, balance %s after %s and a change of %s', account_id, id,
                 sequence, sequence_before, balance_minor, balance_before_minor, change_minor) as detail
     from (
       select e.*, lag(sequence, 1, 0::bigint) over steps as sequence_before,
              lag(balance_minor, 1, 0::bigint) over steps as balance_before_minor
         from (
           select merchant_id, mode, id, debit_account_id as account_id, debit_sequence as sequence,
                  debit_balance_minor as balance_minor,
                  case when kind in ('POSTED', 'POST') then -amount_minor else 0 end as change_minor
             from transfers
           union all
           select merchant_id, mode, id, credit_account_id, credit_sequence, credit_balance_minor,
                  case when kind in ('POSTED', 'POST') then amount_minor else 0 end
             from transfers
         ) e
       window steps as (partition by merchant_id, account_id order by sequence)
     ) entries
    where sequence <> sequence_before + 1 or balance_minor <> balance_before_minor + change_minor`,
);

const overdrawnCustomers = check(
  'no-customer-overdrawn',
  'No customer’s account is overdrawn, holds counted.',
  `select merchant_id, mode,
          format('account %s (%s): booked %s, held %s', id, kind, credits_posted_minor - debits_posted_minor,
                 debits_pending_minor) as detail
     from accounts
    where kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET')
      and credits_posted_minor - debits_posted_minor - debits_pending_minor < 0`,
);

const strayTransfers = check(
  'transfers-stay-within-their-tenant',
  'Every transfer moves one currency between two accounts of one merchant in one mode.',
  `select t.merchant_id, t.mode,
          format('transfer %s in %s: debits %s (%s %s), credits %s (%s %s)', t.id, t.currency, t.debit_account_id,
                 coalesce(d.mode, 'no account of this merchant'), coalesce(d.currency, ''), t.credit_account_id,
                 coalesce(c.mode, 'no account of this merchant'), coalesce(c.currency, '')) as detail
     from transfers t
     left join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id
     left join accounts c on c.merchant_id = t.merchant_id and c.id = t.credit_account_id
    where (d.mode = t.mode and c.mode = t.mode and d.currency = t.currency and c.currency = t.currency) is not true`,
);

/** A chunk of a batch is the transaction of its own holds; the transfers of settlements have checks of their own. */
const orphanTransfers = check(
  'transfers-belong-to-transactions',
  'Every transfer belongs to a transaction, a payment in, a refund, a dispute, a chunk of a batch or a settlement of its merchant and mode.',
  `select t.merchant_id, t.mode,
          format('transfer %s (%s %s): there is no transaction %s', t.id, t.kind, t.code, t.transaction_id) as detail
     from transfers t
     left join (
       select merchant_id, mode, id, false as is_chunk from transactions
        union all
       select merchant_id, mode, id, true from batch_chunks
        union all
       select merchant_id, mode, id, false from inbound_payments where status <> 'CREDITED'
        union all
       select merchant_id, mode, id, false from disputes where taken_minor = 0
        union all
       select merchant_id, mode, id, false from refunds where way = 'PROVIDER' and status <> 'SUCCESS'
     ) x on x.merchant_id = t.merchant_id and x.mode = t.mode and x.id = t.transaction_id
    where t.code not in ('PAYOUT_SETTLEMENT', 'COLLECTION_SETTLEMENT', 'PROVIDER_FEE', 'REFUND_SETTLEMENT', 'DISPUTE_SETTLEMENT')
      and (x.id is null or (x.is_chunk and t.kind not in ('PENDING', 'VOID')))`,
);

const wrongResolutions = check(
  'holds-end-once-as-they-were-held',
  'Every hold that ended was posted or voided once, as it was held.',
  `select r.merchant_id, r.mode,
          case when h.id is null then format('transfer %s (%s): there is no hold %s', r.id, r.kind, r.pending_id)
               else format('transfer %s (%s) is not like hold %s', r.id, r.kind, h.id) end as detail
     from transfers r
     left join transfers h on h.merchant_id = r.merchant_id and h.id = r.pending_id and h.kind = 'PENDING'
    where r.kind in ('POST', 'VOID')
      and (h.mode = r.mode and h.amount_minor = r.amount_minor and h.currency = r.currency and h.code = r.code
           and h.debit_account_id = r.debit_account_id and h.credit_account_id = r.credit_account_id) is not true
   union all
   select merchant_id, min(mode), format('hold %s was ended %s times', pending_id, count(*))
     from transfers
    where pending_id is not null
    group by merchant_id, pending_id
   having count(*) > 1`,
);

export const bookChecks: readonly Check[] = [
  unequalBooks,
  accountsUnlikeTransfers,
  brokenSteps,
  overdrawnCustomers,
  strayTransfers,
  orphanTransfers,
  wrongResolutions,
];
