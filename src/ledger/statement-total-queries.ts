import { type Statement, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { WALLET_KINDS } from './daily-total-queries.ts';
import { POSTED, sides } from './statement-queries.ts';

/**
 * Transfers of a wallet from one total to the next: a page anywhere in a statement reads little more than so many rows.
 */
export const STATEMENT_STEP = 500;

const PIECE = `count(*) as entries,
               coalesce(sum(amount_minor) filter (where direction = 'CREDIT'), 0)::bigint as credits_minor,
               coalesce(sum(amount_minor) filter (where direction = 'DEBIT'), 0)::bigint as debits_minor`;

/** Totals of the tenant `$1`, `$2` and an account. */
const totalsOf = (account: string) =>
  `statement_totals t where t.merchant_id = $1 and t.mode = $2 and t.account_id = ${account}`;

interface StatementTotal {
  merchant_id: string;
  mode: Mode;
  account_id: string;
  sequence: bigint;
  entries: bigint;
  credits_minor: bigint;
  debits_minor: bigint;
}

/**
 * The next totals that the accounts `$3` do not have yet, oldest first and of each at most its number in `$4`. Planned each time, for
 * the same reason as the totals by day.
 */
export const sumStatementTotals: Statement<StatementTotal> = {
  ...statement<StatementTotal>(
    'sum-statement-totals',
    `select $1::uuid as merchant_id, $2::text as mode, w.id as account_id, upto.sequence,
          (coalesce(base.entries, 0) + sum(piece.entries) over earlier)::bigint as entries,
          (coalesce(base.credits_minor, 0) + sum(piece.credits_minor) over earlier)::bigint as credits_minor,
          (coalesce(base.debits_minor, 0) + sum(piece.debits_minor) over earlier)::bigint as debits_minor
     from unnest($3::uuid[], $4::bigint[]) as w (id, most)
     join accounts a on a.merchant_id = $1 and a.id = w.id
     left join lateral (select t.* from ${totalsOf('w.id')} order by t.sequence desc limit 1) base on true
    cross join lateral generate_series(
      coalesce(base.sequence, 0) + ${STATEMENT_STEP},
      least(a.sequence, coalesce(base.sequence, 0) + w.most * ${STATEMENT_STEP}),
      ${STATEMENT_STEP}
    ) as upto (sequence)
    cross join lateral (
      select ${PIECE}
        from ${sides(`where sequence > upto.sequence - ${STATEMENT_STEP} and sequence <= upto.sequence`, 'w.id')}
       where ${POSTED}
    ) piece
   window earlier as (partition by w.id order by upto.sequence)`,
  ),
  isFleeting: true,
};

/** Wallets that could have more totals than they have, with how many transfers follow the last. $3 how many at most. */
export const listWalletsThatLackTotals: Statement<{ wallet_id: string; waiting: bigint }> = {
  ...statement<{ wallet_id: string; waiting: bigint }>(
    'list-wallets-that-lack-statement-totals',
    `select a.id as wallet_id, a.sequence - coalesce(last.sequence, 0) as waiting
       from accounts a
       left join lateral (select t.sequence from ${totalsOf('a.id')} order by t.sequence desc limit 1) last on true
      where a.merchant_id = $1 and a.mode = $2 and a.kind in ${WALLET_KINDS}
        and a.sequence >= ${STATEMENT_STEP} and a.sequence >= coalesce(last.sequence, 0) + ${STATEMENT_STEP}
      order by a.id
      limit $3`,
  ),
  isFleeting: true,
};

/** Every wallet has its totals, as far as its days are added up. */
export const updateTotalsCursorWhole = statement(
  'update-daily-total-cursor-whole',
  `update daily_total_cursors set has_statement_totals = true where merchant_id = $1 and mode = $2`,
);

export const insertStatementTotals = setStatement<StatementTotal>(
  'insert-statement-totals',
  {
    merchant_id: 'uuid',
    mode: 'text',
    account_id: 'uuid',
    sequence: 'bigint',
    entries: 'bigint',
    credits_minor: 'bigint',
    debits_minor: 'bigint',
  },
  `insert into statement_totals (merchant_id, mode, account_id, sequence, entries, credits_minor, debits_minor)
   select merchant_id, mode, account_id, sequence, entries, credits_minor, debits_minor from :rows`,
);

/** What a range of entries adds up to, and where in it a page begins. */
export interface StatementPlace {
  entries: bigint;
  credits_minor: bigint;
  debits_minor: bigint;
  /** The page skips so many entries, newest first, of those up to this sequence. */
  from_sequence: bigint;
  skipped: bigint;
}

/**
 * Of the entries of the account `$3` after the sequence `$4` up to `$5`: what they add up to, and where the one is that
 * has `$6` newer ones. The totals are near both ends, so a part of one step is read, not the range. No row where the
 * totals are more than `$7` transfers behind an end.
 */
export const findStatementPlace = statement<StatementPlace>(
  'find-statement-place',
  `with ends as materialized (
     select e.place, coalesce(base.entries, 0) + piece.entries as entries,
            coalesce(base.credits_minor, 0) + piece.credits_minor as credits_minor,
            coalesce(base.debits_minor, 0) + piece.debits_minor as debits_minor
       from (values (1, $4::bigint), (2, $5::bigint)) as e (place, sequence)
       left join lateral (
         select t.* from ${totalsOf('$3')} and t.sequence <= e.sequence order by t.sequence desc limit 1
       ) base on true
      cross join lateral (
        select ${PIECE}
          from ${sides('where sequence > coalesce(base.sequence, 0) and sequence <= e.sequence')}
         where ${POSTED}
      ) piece
      where e.sequence - coalesce(base.sequence, 0) <= $7::bigint
   )
   select until.entries - since.entries as entries, until.credits_minor - since.credits_minor as credits_minor,
          until.debits_minor - since.debits_minor as debits_minor, least(mark.sequence, $5) as from_sequence,
          coalesce(case when mark.sequence <= $5 then mark.entries - until.entries + $6::bigint end, $6) as skipped
     from ends until
     join ends since on since.place = 1
     left join lateral (
       select t.sequence, t.entries from ${totalsOf('$3')} and t.entries >= until.entries - $6::bigint
        order by t.entries, t.sequence limit 1
     ) mark on true
    where until.place = 2`,
);
