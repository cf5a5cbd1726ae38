import type { Currency } from '../money/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';

export interface StatementEntry {
  id: string;
  transaction_id: string;
  code: string;
  direction: 'DEBIT' | 'CREDIT';
  amount_minor: bigint;
  balance_minor: bigint;
  sequence: bigint;
  currency: Currency;
  created_at: Date;
  /** The account on the other side. */
  other_account_id: string;
}

const side = (own: 'debit' | 'credit', other: 'debit' | 'credit', account: string) =>
  `select id, transaction_id, kind, code, '${own.toUpperCase()}'::text as direction, amount_minor,
               ${own}_balance_minor as balance_minor, ${own}_sequence as sequence, currency, created_at,
               ${other}_account_id as other_account_id
          from transfers where merchant_id = $1 and mode = $2 and ${own}_account_id = ${account}`;

/**
 * The transfers of an account, `$3` unless another is named, as that account sees them, holds included. Each half is
 * read by an index of its own, so each has the conditions, the order and the limit.
 */
export const sides = (tail: string, account = '$3') => `(
     (select * from (${side('debit', 'credit', account)}) debits ${tail})
     union all
     (select * from (${side('credit', 'debit', account)}) credits ${tail})
   ) sides`;

export const POSTED = `kind in ('POSTED', 'POST')`;

/**
 * How far the order of an account's transfers and the order of their times can differ: a movement is timed when it is
 * requested, and then waits for its turn. No process's clock may be off by this much.
 */
export const DISORDER_MINUTES = 5;
export const DISORDER = `interval '${DISORDER_MINUTES} minutes'`;

/**
 * For each time in `$4`, the last transfer of the account before it, and the booked balance after that one. The
 * transfers have no index by time, since every movement would pay for it, but the account's sequence has no gap and
 * follows time: so the place is found by binary search, and then corrected among its neighbours.
 */
export const findStatementBounds = statement<{ moment: Date; sequence: bigint; balance_minor: bigint }>(
  'find-statement-bounds',
  `with recursive search (moment, low, step) as (
     select moments.moment, 0::bigint, coalesce(highest.step, 0)
       from unnest($4::timestamptz[]) as moments (moment)
       left join accounts a on a.merchant_id = $1 and a.id = $3
       left join lateral (
         select max(1::bigint << bit) as step from generate_series(0, 61) bit where 1::bigint << bit <= a.sequence
       ) highest on true
     union all
     select s.moment, case when probe.created_at < s.moment + ${DISORDER} then s.low + s.step else s.low end, s.step / 2
       from search s
       left join lateral (
         select created_at from ${sides('where sequence = s.low + s.step')} limit 1
       ) probe on true
      where s.step > 0
   )
   select s.moment, coalesce(last.sequence, 0) as sequence, coalesce(last.balance_minor, 0) as balance_minor
     from search s
     left join lateral (
       select sequence, balance_minor
         from ${sides('where sequence <= s.low and created_at < s.moment order by sequence desc limit 1')}
        order by sequence desc limit 1
     ) last on true
    where s.step = 0`,
);

/** Entries after `afterSequence`, up to `upToSequence`. They never change, and none is added between. */
export interface EntryRange {
  accountId: string;
  afterSequence: bigint;
  upToSequence: bigint;
}

const IN_RANGE = [`sequence > $4`, `sequence <= $5`, POSTED];

export const rangeValues = ({ merchantId, mode }: Tenant, { accountId, afterSequence, upToSequence }: EntryRange) => [
  merchantId,
  mode,
  accountId,
  afterSequence,
  upToSequence,
];

const NEWEST: ListOrder<StatementEntry> = {
  direction: 'desc',
  keys: [{ sql: 'sequence', type: 'bigint', of: ({ sequence }) => sequence }],
};

/** Posted entries of one account, newest first. @param counted how many the range has, where it was counted */
export function statementList(
  tenant: Tenant,
  range: EntryRange,
  { of, since, counted }: Pick<List<StatementEntry>, 'of' | 'since'> & { counted: number | undefined },
): List<StatementEntry> {
  return {
    name: 'statement',
    of,
    since,
    order: NEWEST,
    columns: '*',
    from: sides,
    where: IN_RANGE,
    values: rangeValues(tenant, range),
    total: counted,
  };
}

/** How many entries a range has, and what they add up to; it reads at most `limit` of them, the newest. */
export const sumStatementEntries = statement<{ entries: number; credits_minor: bigint; debits_minor: bigint }>(
  'sum-statement-entries',
  `select count(*)::int as entries,
          coalesce(sum(amount_minor) filter (where direction = 'CREDIT'), 0)::bigint as credits_minor,
          coalesce(sum(amount_minor) filter (where direction = 'DEBIT'), 0)::bigint as debits_minor
     from (
       select direction, amount_minor
         from ${sides(`where ${IN_RANGE.join(' and ')} order by sequence desc limit $6`)}
        order by sequence desc limit $6
     ) counted`,
);

/** The entries of a range, oldest first, from a sequence on: for a file. */
export const listStatementEntries = statement<StatementEntry>(
  'list-statement-entries',
  `select * from ${sides(`where ${IN_RANGE.join(' and ')} order by sequence limit $6`)} order by sequence limit $6`,
);

export interface CodeSum {
  code: string;
  direction: 'DEBIT' | 'CREDIT';
  entries: number;
  amount_minor: bigint;
}

/** What the posted entries of a range add up to, by code and direction. */
export const sumEntriesByCode = statement<CodeSum>(
  'sum-entries-by-code',
  `select code, direction, count(*)::int as entries, sum(amount_minor)::bigint as amount_minor
     from ${sides(`where ${IN_RANGE.join(' and ')}`)}
    group by code, direction
    order by code, direction`,
);

export interface TransactionSum extends CodeSum {
  transaction_id: string;
}

/** The same by transaction, for codes that begin as $6 says. */
export const listTransactionsOfCodes = statement<TransactionSum>(
  'list-transactions-of-codes',
  `select transaction_id, code, direction, count(*)::int as entries, sum(amount_minor)::bigint as amount_minor
     from ${sides(`where ${IN_RANGE.join(' and ')} and starts_with(code, $6)`)}
    group by transaction_id, code, direction`,
);

/**
 * For a wallet, at the moment of its last entry: what is available, and what is held of collected money. Held money is
 * found by the open refunds and disputes, which are few: an account has no index of its holds.
 */
export const findReach = statement<{ sequence: bigint; available_minor: bigint; held_minor: bigint }>(
  'find-reach-of-settlement',
  `select a.sequence, a.credits_posted_minor - a.debits_posted_minor - a.debits_pending_minor as available_minor,
          coalesce((
            select sum(t.amount_minor)
              from (
                select id from disputes where merchant_id = $1 and mode = $2 and ended_at is null
                 union all
                select coalesce(payout_id, id) from refunds
                 where merchant_id = $1 and mode = $2 and status not in ('SUCCESS', 'FAILED', 'CANCELLED')
              ) open
              join transfers t on t.merchant_id = $1 and t.mode = $2 and t.transaction_id = open.id
               and t.debit_account_id = $3 and t.kind = 'PENDING'
             where not exists (select from transfers e where e.merchant_id = $1 and e.mode = $2 and e.pending_id = t.id)
          ), 0)::bigint as held_minor
     from accounts a
    where a.merchant_id = $1 and a.mode = $2 and a.id = $3`,
);
