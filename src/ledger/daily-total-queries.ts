import { among, type Statement, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { BY_OWNER } from './queries.ts';
import { DISORDER, POSTED, sides } from './statement-queries.ts';

/** What posted transfers add up to, in minor units, as a wallet or all wallets of a merchant see them. */
export interface TotalsRow {
  credits_minor: bigint;
  debits_minor: bigint;
  /** Part of the credits: from another wallet of the same merchant. */
  own_credits_minor: bigint;
  /** Part of the debits: to another wallet of the same merchant. */
  own_debits_minor: bigint;
  /** Part of the debits: fees, VAT and stamp duty. */
  charges_minor: bigint;
  /** Part of the credits: charges that came back with a payout. */
  returned_charges_minor: bigint;
}

/** A day in Lagos, `2026-11-20`, with what moved on it. */
export interface DayTotalsRow extends TotalsRow {
  day: string;
}

/** The kinds of accounts that are a merchant's wallets. */
export const WALLET_KINDS = `('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET')`;
/**
 * Transfers between two wallets of one merchant. A test compares this with the kinds of accounts that each code is for.
 */
export const OWN_CODES = `('STORE_DEBIT', 'SUBACCOUNT_CREDIT', 'SUBACCOUNT_DEBIT')`;

/** The accounts of the tenant `$1`, `$2` that charges are paid to. */
const CHARGE_ACCOUNTS = `(select array_agg(id) from accounts
    where merchant_id = $1 and mode = $2 and kind in ('FEE_INCOME', 'TAX_PAYABLE') and owner_id = $1 and ${BY_OWNER})`;

const sumOf = (name: string, condition: string): string =>
  `coalesce(sum(amount_minor) filter (where ${POSTED} and ${condition}), 0)::bigint as ${name}`;

/** The columns of `TotalsRow`, of entries as `sides` has them; `charge_accounts` is a column beside them. */
const TOTALS = [
  sumOf('credits_minor', `direction = 'CREDIT'`),
  sumOf('debits_minor', `direction = 'DEBIT'`),
  sumOf('own_credits_minor', `direction = 'CREDIT' and code in ${OWN_CODES}`),
  sumOf('own_debits_minor', `direction = 'DEBIT' and code in ${OWN_CODES}`),
  sumOf('charges_minor', `direction = 'DEBIT' and other_account_id = any(charge_accounts)`),
  sumOf('returned_charges_minor', `direction = 'CREDIT' and other_account_id = any(charge_accounts)`),
].join(',\n          ');

const SUMS = ['credits', 'debits', 'own_credits', 'own_debits', 'charges', 'returned_charges'].map(
  (name) => `${name}_minor`,
);

const TO_ADD_UP = (leastEvents: string) =>
  `(b.event_sequence >= coalesce(c.event_sequence, 0) + ${leastEvents}::bigint or not c.has_statement_totals)`;

/**
 * The merchants whose books in the mode `$1` have events that are not added up, or lack totals within a statement, except
 * those of `$3`. $2 how many at most. It reads the books of every merchant.
 */
export const listMerchantsToAddUp = statement<{ merchant_id: string }>(
  'list-merchants-to-add-up',
  `select b.merchant_id
     from books b
     left join daily_total_cursors c on c.merchant_id = b.merchant_id and c.mode = b.mode
    where b.mode = $1 and ${TO_ADD_UP('1')}
      and b.merchant_id <> all($3::uuid[])
    limit $2`,
);

/** The same of the books of `askedBooks`, where there are `$4` or more events. */
export const listActiveToAddUp = statement<{ merchant_id: string }>(
  'list-active-merchants-to-add-up',
  `select b.merchant_id
     from unnest($1::uuid[], $2::text[]) as asked (merchant_id, mode)
     join books b on b.merchant_id = asked.merchant_id and b.mode = asked.mode
     left join daily_total_cursors c on c.merchant_id = b.merchant_id and c.mode = b.mode
    where ${TO_ADD_UP('$4')} and ${among('b.merchant_id', 3)}`,
);

/** Where nothing is added up yet, nothing is missing either. */
export const insertTotalsCursor = statement(
  'insert-daily-total-cursor',
  `insert into daily_total_cursors (merchant_id, mode, event_sequence, has_statement_totals)
   values ($1, $2, 0, true) on conflict do nothing`,
);

/**
 * Locks the cursor, so that no other process adds up these books meanwhile: no row where one does. The books themselves
 * are not locked.
 */
export const lockTotalsCursor = statement<{ event_sequence: bigint; has_statement_totals: boolean }>(
  'lock-daily-total-cursor',
  `select b.event_sequence, c.has_statement_totals
     from daily_total_cursors c
     join books b on b.merchant_id = c.merchant_id and b.mode = c.mode
    where c.merchant_id = $1 and c.mode = $2
      for update of c skip locked`,
);

export const updateTotalsCursor = statement(
  'update-daily-total-cursor',
  `update daily_total_cursors set event_sequence = $3 where merchant_id = $1 and mode = $2`,
);

/** How far a wallet is added up: its last day, and the sequence up to which. Null and 0 where nothing is. */
const LAST_DAY = `left join lateral (
      select d.day, d.through_sequence from daily_totals d
       where d.merchant_id = $1 and d.mode = $2 and d.wallet_id = a.id
       order by d.day desc limit 1
    ) last on true`;

/** A wallet with transfers that no day counts, and when the first of them was requested. */
export interface UncountedWallet {
  wallet_id: string;
  after_sequence: bigint;
  /** How many transfers follow, of whatever day. */
  waiting: bigint;
  /** The last day that is counted; null where none is. */
  day: string | null;
  next_at: Date;
}

/**
 * Planned each time that it is sent. A plan that was made while the books were small found each transfer by reading all
 * transfers of the merchant, which took a second and more instead of milliseconds.
 */
const plannedAnew = <Row>(one: Statement<Row>): Statement<Row> => ({ ...one, isFleeting: true });

/** $3 the wallet to continue after, $4 how many at most. */
export const listUncountedWallets = plannedAnew(
  statement<UncountedWallet>(
    'list-uncounted-wallets',
    `select a.id as wallet_id, coalesce(last.through_sequence, 0) as after_sequence,
          a.sequence - coalesce(last.through_sequence, 0) as waiting, last.day::text as day, next.created_at as next_at
     from accounts a
     ${LAST_DAY}
    cross join lateral (
      select created_at from ${sides('where sequence = coalesce(last.through_sequence, 0) + 1', 'a.id')} limit 1
    ) next
    where a.merchant_id = $1 and a.mode = $2 and a.kind in ${WALLET_KINDS} and a.id > $3
      and a.sequence > coalesce(last.through_sequence, 0)
    order by a.id
    limit $4`,
  ),
);

/**
 * What the transfers of each wallet in `$3` after its sequence in `$4` add up to, as far as they belong to the day that
 * ends at its moment in `$5`, and no more of them than its number in `$6`. A day ends with its last transfer that was
 * requested before its end, as in a statement; it is found by binary search, as there, unless the wallet's newest transfer
 * is of that day. No row where nothing follows within the day.
 */
export const sumDays = plannedAnew(
  statement<TotalsRow & { wallet_id: string; through_sequence: bigint; is_whole: boolean }>(
    'sum-days',
    `with recursive search (wallet_id, after_sequence, ends_at, most, low, step) as (
     select w.wallet_id, w.after_sequence, w.ends_at, w.most,
            case when newest.is_of_day then a.sequence else w.after_sequence end,
            case when newest.is_of_day then 0 else coalesce(highest.step, 0) end
       from unnest($3::uuid[], $4::bigint[], $5::timestamptz[], $6::bigint[]) as w (wallet_id, after_sequence, ends_at, most)
       join accounts a on a.merchant_id = $1 and a.id = w.wallet_id
       left join lateral (
         select created_at < w.ends_at as is_of_day from ${sides('where sequence = a.sequence', 'a.id')} limit 1
       ) newest on true
       left join lateral (
         select max(1::bigint << bit) as step from generate_series(0, 61) bit
          where 1::bigint << bit <= a.sequence - w.after_sequence
       ) highest on true
     union all
     select s.wallet_id, s.after_sequence, s.ends_at, s.most,
            case when probe.created_at < s.ends_at + ${DISORDER} then s.low + s.step else s.low end, s.step / 2
       from search s
       left join lateral (
         select created_at from ${sides('where sequence = s.low + s.step', 's.wallet_id')} limit 1
       ) probe on true
      where s.step > 0
   )
   select s.wallet_id, least(last.sequence, s.after_sequence + s.most) as through_sequence,
          last.sequence <= s.after_sequence + s.most as is_whole, totals.*
     from search s
    cross join lateral (
      select sequence
        from ${sides(
          `where sequence > s.after_sequence and sequence <= s.low and created_at < s.ends_at
           order by sequence desc limit 1`,
          's.wallet_id',
        )}
       order by sequence desc limit 1
    ) last
    cross join lateral (
      select ${TOTALS}
        from ${sides(
          'where sequence > s.after_sequence and sequence <= least(last.sequence, s.after_sequence + s.most)',
          's.wallet_id',
        )}
       cross join ${CHARGE_ACCOUNTS} as takers (charge_accounts)
    ) totals
    where s.step = 0`,
  ),
);

export interface NewTotals extends TotalsRow {
  merchant_id: string;
  mode: Mode;
  day: string;
}

const sumColumns = {
  credits_minor: 'bigint',
  debits_minor: 'bigint',
  own_credits_minor: 'bigint',
  own_debits_minor: 'bigint',
  charges_minor: 'bigint',
  returned_charges_minor: 'bigint',
} as const;

const adding = (table: string): string =>
  SUMS.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

/** Adds a day of a wallet, or adds to one that exists. */
export const upsertDailyTotals = setStatement<NewTotals & { wallet_id: string; through_sequence: bigint }>(
  'upsert-daily-totals',
  { merchant_id: 'uuid', mode: 'text', wallet_id: 'uuid', day: 'date', through_sequence: 'bigint', ...sumColumns },
  `insert into daily_totals (merchant_id, mode, wallet_id, day, through_sequence, ${SUMS.join(', ')})
   select merchant_id, mode, wallet_id, day, through_sequence, ${SUMS.join(', ')} from :rows
   on conflict (merchant_id, mode, wallet_id, day)
   do update set through_sequence = excluded.through_sequence, ${adding('daily_totals')}`,
);

/** The same for all wallets together. */
export const upsertMerchantDailyTotals = setStatement<NewTotals>(
  'upsert-merchant-daily-totals',
  { merchant_id: 'uuid', mode: 'text', day: 'date', ...sumColumns },
  `insert into merchant_daily_totals (merchant_id, mode, day, ${SUMS.join(', ')})
   select merchant_id, mode, day, ${SUMS.map((name) => `sum(${name})::bigint`).join(', ')} from :rows
    group by merchant_id, mode, day
   on conflict (merchant_id, mode, day) do update set ${adding('merchant_daily_totals')}`,
);

/** What is counted for a wallet from the day `$4` on. */
export const listDailyTotals = statement<DayTotalsRow>(
  'list-daily-totals',
  `select day::text as day, ${SUMS.join(', ')} from daily_totals
    where merchant_id = $1 and mode = $2 and wallet_id = $3 and day >= $4::date order by day`,
);

/** The same for all wallets together. */
export const listMerchantDailyTotals = statement<DayTotalsRow>(
  'list-merchant-daily-totals',
  `select day::text as day, ${SUMS.join(', ')} from merchant_daily_totals
    where merchant_id = $1 and mode = $2 and day >= $3::date order by day`,
);

/** What a wallet holds, and how far it is added up. `$3` the wallet, or null for all of the tenant. */
export const listWalletsToTotal = statement<{
  wallet_id: string;
  booked_minor: bigint;
  after_sequence: bigint;
  day: string | null;
  is_counted: boolean;
}>(
  'list-wallets-to-total',
  `select a.id as wallet_id, a.credits_posted_minor - a.debits_posted_minor as booked_minor,
          coalesce(last.through_sequence, 0) as after_sequence, last.day::text as day,
          a.sequence = coalesce(last.through_sequence, 0) as is_counted
     from accounts a
     ${LAST_DAY}
    where a.merchant_id = $1 and a.mode = $2 and a.kind in ${WALLET_KINDS} and ($3::uuid is null or a.id = $3)`,
);

/**
 * What the transfers of the wallets `$3` after their sequences in `$4` add up to, by day, from the last counted days
 * `$5` on. Two transfers around midnight may be booked in another order than they were requested. As in a statement, a
 * transfer then belongs to the earliest day on which it or any later one was requested.
 */
export const sumUncounted = statement<DayTotalsRow>(
  'sum-uncounted-entries',
  `select day::text as day, ${TOTALS}
     from (
       select e.kind, e.code, e.direction, e.amount_minor, e.other_account_id,
              greatest(w.day, (min(e.created_at) over (partition by w.wallet_id order by e.sequence desc
                                                       rows unbounded preceding) at time zone 'Africa/Lagos')::date) as day
         from unnest($3::uuid[], $4::bigint[], $5::date[]) as w (wallet_id, after_sequence, day)
        cross join lateral (
          select * from ${sides('where sequence > w.after_sequence', 'w.wallet_id')}
        ) e
     ) entries
    cross join ${CHARGE_ACCOUNTS} as takers (charge_accounts)
    group by day
    order by day`,
);
