import { statement } from '../platform/db/statement.ts';

/** One thing that is not as it must be, and how many there are in all. */
export interface ViolationRow {
  merchant_id: string;
  mode: string;
  detail: string;
  violations: bigint;
}

/** Violations that a report shows of one check; all are counted. */
export const MAX_EXAMPLES = 20;

/**
 * A query of `merchant_id`, `mode` and `detail` for everything that breaks a rule. Each reads its tables a fixed number
 * of times: they are aggregated or joined whole, never row by row.
 */
function violationsOf(name: string, sql: string) {
  return statement<ViolationRow>(
    `verify-${name}`,
    `select v.merchant_id, v.mode, v.detail, count(*) over () as violations
       from (${sql}) v
      order by v.merchant_id, v.mode, v.detail
      limit ${MAX_EXAMPLES}`,
  );
}

/** Every check sees the books as of one moment, holds no lock, and cannot write. First statement of the transaction. */
export const readOneSnapshot = statement(
  'verify-read-one-snapshot',
  'set transaction isolation level repeatable read, read only',
);

/** Sorting and grouping every transfer deserves more than a request's share of memory. */
export const takeMemory = statement('verify-take-memory', `set local work_mem = '128MB'`);

/**
 * Whole tables are joined by hash. Where statistics lag behind the books, the planner expects a handful of rows and
 * would compare each row with all others of its merchant.
 */
export const joinByHash = statement(
  'verify-join-by-hash',
  `select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
          set_config('enable_hashjoin', 'on', true), set_config('enable_seqscan', 'on', true),
          set_config('plan_cache_mode', 'auto', true)`,
);

/** A proof of big books takes longer than any request may. */
export const takeTime = statement('verify-take-time', 'set local statement_timeout = 0');

export interface SizeRow {
  books: bigint;
  accounts: bigint;
  transfers: bigint;
  transactions: bigint;
}

export const countRows = statement<SizeRow>(
  'verify-count-rows',
  `select (select count(*) from books) as books, (select count(*) from accounts) as accounts,
          (select count(*) from transfers) as transfers, (select count(*) from transactions) as transactions`,
);

export const findUnequalBooks = violationsOf(
  'debits-equal-credits',
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

export const findAccountsUnlikeTransfers = violationsOf(
  'accounts-equal-transfers',
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
export const findBrokenSteps = violationsOf(
  'transfers-follow-each-other',
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

export const findOverdrawnCustomers = violationsOf(
  'no-customer-overdrawn',
  `select merchant_id, mode,
          format('account %s (%s): booked %s, held %s', id, kind, credits_posted_minor - debits_posted_minor,
                 debits_pending_minor) as detail
     from accounts
    where kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET')
      and credits_posted_minor - debits_posted_minor - debits_pending_minor < 0`,
);

export const findStrayTransfers = violationsOf(
  'transfers-stay-within-their-tenant',
  `select t.merchant_id, t.mode,
          format('transfer %s in %s: debits %s (%s %s), credits %s (%s %s)', t.id, t.currency, t.debit_account_id,
                 coalesce(d.mode, 'no account of this merchant'), coalesce(d.currency, ''), t.credit_account_id,
                 coalesce(c.mode, 'no account of this merchant'), coalesce(c.currency, '')) as detail
     from transfers t
     left join accounts d on d.merchant_id = t.merchant_id and d.id = t.debit_account_id
     left join accounts c on c.merchant_id = t.merchant_id and c.id = t.credit_account_id
    where (d.mode = t.mode and c.mode = t.mode and d.currency = t.currency and c.currency = t.currency) is not true`,
);

export const findOrphanTransfers = violationsOf(
  'transfers-belong-to-transactions',
  `select t.merchant_id, t.mode,
          format('transfer %s (%s %s): there is no transaction %s', t.id, t.kind, t.code, t.transaction_id) as detail
     from transfers t
     left join transactions x on x.merchant_id = t.merchant_id and x.mode = t.mode and x.id = t.transaction_id
    where x.id is null`,
);

export const findWrongResolutions = violationsOf(
  'holds-end-once-as-they-were-held',
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

/** Unnested in a query of its own, so that the result is joined as a table like any other. */
const PAYOUT_HOLDS = `select merchant_id, mode, payout_id, hold_id, code
         from (
           select merchant_id, mode, id as payout_id,
                  unnest(array[amount_hold_id, fee_hold_id, vat_hold_id, stamp_duty_hold_id]) as hold_id,
                  unnest(array['PAYOUT', 'PAYOUT_FEE', 'PAYOUT_VAT', 'PAYOUT_STAMP_DUTY']) as code
             from payouts
         ) named
        where hold_id is not null`;

/** What the holds that each payout names came to. A hold of another tenant or for another reason is none of its own. */
const HELD_AND_MOVED = `select n.merchant_id, n.mode, n.payout_id,
              sum(case t.kind when 'PENDING' then t.amount_minor else -t.amount_minor end) as held_minor,
              count(*) filter (where t.kind = 'POST' and t.code = 'PAYOUT') as debits,
              coalesce(sum(t.amount_minor) filter (where t.kind = 'POST' and t.code = 'PAYOUT'), 0) as debited_minor,
              coalesce(sum(t.amount_minor) filter (where t.kind = 'POST' and t.code <> 'PAYOUT'), 0) as charged_minor,
              min(t.debit_account_id::text) as payer, max(t.debit_account_id::text) as last_payer
         from (${PAYOUT_HOLDS}) n
         join transfers t
           on t.merchant_id = n.merchant_id and t.mode = n.mode and t.code = n.code
          and coalesce(t.pending_id, t.id) = n.hold_id and t.kind <> 'POSTED'
        group by n.merchant_id, n.mode, n.payout_id`;

export const findPayoutsNotHeld = violationsOf(
  'open-payouts-are-held',
  `select x.merchant_id, x.mode,
          format('payout %s (%s): amount %s and charges %s, held %s', x.id, x.status, x.amount_minor, x.charges_minor,
                 coalesce(h.held_minor, 0)) as detail
     from transactions x
     left join (${HELD_AND_MOVED}) h on h.merchant_id = x.merchant_id and h.mode = x.mode and h.payout_id = x.id
    where x.category = 'PAYOUT' and x.status in ('QUEUED', 'PROCESSING')
      and coalesce(h.held_minor, 0) <> x.amount_minor + x.charges_minor`,
);

export const findHoldsLeftOver = violationsOf(
  'holds-belong-to-open-payouts',
  `select h.merchant_id, h.mode,
          format('hold %s of %s (%s) is for %s', h.id, h.amount_minor, case when r.id is null then 'open' else r.kind end,
                 coalesce('payout ' || n.payout_id || ' (' || coalesce(x.status, 'no transaction') || ')', 'no payout'))
            as detail
     from transfers h
     left join transfers r on r.merchant_id = h.merchant_id and r.pending_id = h.id
     left join (${PAYOUT_HOLDS}) n
       on n.merchant_id = h.merchant_id and n.mode = h.mode and n.hold_id = h.id and n.code = h.code
     left join transactions x on x.merchant_id = n.merchant_id and x.mode = n.mode and x.id = n.payout_id
    where h.kind = 'PENDING'
      and (x.category = 'PAYOUT' and (r.id is not null or x.status in ('QUEUED', 'PROCESSING'))) is not true`,
);

/** What came back of a payout, and what else was posted in its name: nothing may be. */
const RETURNED = `select x.merchant_id, x.mode, x.id as payout_id,
              count(*) filter (where t.code <> 'PAYOUT_REVERSAL') as strays,
              coalesce(sum(t.amount_minor) filter (where t.code = 'PAYOUT_REVERSAL'), 0) as returned_minor,
              count(*) filter (where t.code = 'PAYOUT_REVERSAL' and t.amount_minor = x.amount_minor
                                 and a.kind = 'PAYOUT_CLEARING') as returns,
              min(t.credit_account_id::text) as first_returned_to, max(t.credit_account_id::text) as last_returned_to
         from transactions x
         join transfers t
           on t.merchant_id = x.merchant_id and t.mode = x.mode and t.transaction_id = x.id and t.kind = 'POSTED'
         left join accounts a on a.merchant_id = t.merchant_id and a.id = t.debit_account_id
        where x.category = 'PAYOUT'
        group by x.merchant_id, x.mode, x.id`;

/** What each payout of these statuses moved, where that is not what the status says. */
const payoutsThatMoved = (statuses: string, wrong: string) =>
  `select merchant_id, mode,
          format('payout %s (%s) of %s and charges %s: debited %s times, in all %s; charged %s; returned %s times, '
                 'in all %s; %s other transfers', id, status, amount_minor, charges_minor, debits, debited_minor,
                 charged_minor, returns, returned_minor, strays) as detail
     from (
       select x.merchant_id, x.mode, x.id, x.status, x.amount_minor, x.charges_minor, m.payer, m.last_payer,
              coalesce(m.debits, 0) as debits, coalesce(m.debited_minor, 0) as debited_minor,
              coalesce(m.charged_minor, 0) as charged_minor, coalesce(r.returns, 0) as returns,
              coalesce(r.returned_minor, 0) as returned_minor, coalesce(r.strays, 0) as strays,
              r.first_returned_to, r.last_returned_to
         from transactions x
         left join (${HELD_AND_MOVED}) m on m.merchant_id = x.merchant_id and m.mode = x.mode and m.payout_id = x.id
         left join (${RETURNED}) r on r.merchant_id = x.merchant_id and r.mode = x.mode and r.payout_id = x.id
        where x.category = 'PAYOUT' and x.status in (${statuses})
     ) p
    where strays > 0 or (${wrong})`;

const DEBITED_ONCE =
  'debits = 1 and debited_minor = amount_minor and charged_minor = charges_minor and payer = last_payer';

export const findSuccessesNotDebitedOnce = violationsOf(
  'successful-payouts-debited-once',
  payoutsThatMoved(`'SUCCESS'`, `(${DEBITED_ONCE} and returned_minor = 0) is not true`),
);

export const findDebitsWithoutSuccess = violationsOf(
  'other-payouts-moved-nothing',
  payoutsThatMoved(
    `'FAILED', 'CANCELLED', 'PENDING_APPROVAL', 'SCHEDULED', 'QUEUED', 'PROCESSING'`,
    'debits > 0 or charged_minor > 0 or returned_minor > 0',
  ),
);

/** The amount comes back to who paid it; the charges may. */
export const findReversalsNotReturned = violationsOf(
  'reversed-payouts-returned-once',
  payoutsThatMoved(
    `'REVERSED'`,
    `(${DEBITED_ONCE} and returns = 1 and returned_minor <= amount_minor + charges_minor
      and first_returned_to = payer and last_returned_to = payer) is not true`,
  ),
);

export const findWrongWalletTransfers = violationsOf(
  'wallet-transfers-moved-once',
  `select merchant_id, mode,
          format('%s %s (%s) of %s: %s transfers, %s of them as it says', category, id, status, amount_minor, made, right_ones)
            as detail
     from (
       select x.merchant_id, x.mode, x.id, x.category, x.status, x.amount_minor, count(t.id) as made,
              count(*) filter (where t.kind = 'POSTED' and t.amount_minor = x.amount_minor
                                 and t.currency = x.currency and t.credit_account_id = x.to_wallet_id
                                 and (t.debit_account_id = x.from_wallet_id or x.category = 'WALLET_FUNDING'))
                as right_ones
         from transactions x
         left join transfers t
           on t.merchant_id = x.merchant_id and t.mode = x.mode and t.transaction_id = x.id
        where x.category <> 'PAYOUT'
        group by x.merchant_id, x.mode, x.id
     ) w
    where made <> right_ones or made <> case status when 'SUCCESS' then 1 else 0 end`,
);

export const findWrongKeys = violationsOf(
  'idempotency-keys-tell-the-truth',
  `select k.merchant_id, k.mode,
          format('key %s (%s) names effect %s%s', k.key, k.answer_status, k.transaction_id,
                 case when x.id is null then ', which does not exist' else '' end) as detail
     from idempotency_keys k
     left join (
       select merchant_id, mode, id from transactions union all select merchant_id, mode, id from batches
     ) x on x.merchant_id = k.merchant_id and x.mode = k.mode and x.id = k.transaction_id
    where k.transaction_id is not null and (x.id is null or k.answer_status not between 200 and 299)
   union all
   select merchant_id, mode, format('effect %s belongs to %s keys', transaction_id, count(*))
     from idempotency_keys
    where transaction_id is not null
    group by merchant_id, mode, transaction_id
   having count(*) > 1`,
);

/** Sequences are unique by the primary key: from 1 to n, n of them, leaves no room for a gap. */
export const findEventGaps = violationsOf(
  'events-without-gaps',
  `select coalesce(b.merchant_id, e.merchant_id) as merchant_id, coalesce(b.mode, e.mode) as mode,
          format('%s events numbered from %s to %s, the books say %s', coalesce(e.events, 0), coalesce(e.first, 0),
                 coalesce(e.last, 0), coalesce(b.event_sequence::text, 'nothing')) as detail
     from books b
     full join (
       select merchant_id, mode, count(*) as events, min(sequence) as first, max(sequence) as last
         from events
        group by merchant_id, mode
     ) e on e.merchant_id = b.merchant_id and e.mode = b.mode
    where b.merchant_id is null or coalesce(e.events, 0) <> b.event_sequence
       or coalesce(e.last, 0) <> b.event_sequence or coalesce(e.first, 1) <> 1`,
);

const TOLD = 'select distinct merchant_id, mode, subject_id from events';

/** A payout of a batch may be told with its batch until it has an end of its own. */
export const findUntoldTransactions = violationsOf(
  'transactions-are-told',
  `select x.merchant_id, x.mode, format('%s %s (%s) has no event', x.category, x.id, x.status) as detail
     from transactions x
     left join (${TOLD}) e on e.merchant_id = x.merchant_id and e.mode = x.mode and e.subject_id = x.id
     left join (${TOLD}) b
       on b.merchant_id = x.merchant_id and b.mode = x.mode and b.subject_id = x.batch_id
      and x.status in ('QUEUED', 'PROCESSING')
    where e.subject_id is null and b.subject_id is null`,
);

/**
 * A path enters the state where it ends once more than it leaves it, and no other: so no clock has to order the steps.
 */
export const findStatusesUnlikeHistory = violationsOf(
  'status-is-where-history-ends',
  `select x.merchant_id, x.mode,
          format('%s %s is %s, its history says %s', x.category, x.id, x.status, ended.state) as detail
     from (
       select merchant_id, mode, subject_id, state
         from (
           select merchant_id, mode, subject_id, to_state as state, 1 as step
             from state_changes where subject = 'transaction'
           union all
           select merchant_id, mode, subject_id, from_state, -1 from state_changes where subject = 'transaction'
         ) steps
        group by merchant_id, mode, subject_id, state
       having sum(step) > 0
     ) ended
     join transactions x
       on x.merchant_id = ended.merchant_id and x.mode = ended.mode and x.id = ended.subject_id
    where x.status <> ended.state`,
);
