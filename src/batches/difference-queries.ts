import { bankCodeOf } from '../payouts/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import { boundedSum } from './item-columns.ts';
import type { BatchRow } from './queries.ts';

/** What may have become of an account between an earlier list and this one, the most alarming first. */
export const DIFFERENCES = ['CHANGED_ACCOUNT', 'UNCLEAR', 'NEW', 'CHANGED_AMOUNT', 'GONE', 'SAME'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** Both batches of a comparison: this one and the earlier one. */
export interface Compared {
  batch: BatchRow;
  earlier: BatchRow;
}

/** How the earlier list was chosen. */
export type ChosenBy = 'GIVEN' | 'REPEATED' | 'LIKE';

/** Rows and sums, in kobo, of the earlier list (`before`) and of this one (`now`). */
export interface DifferenceCount {
  kind: Difference;
  /** Accounts; the old and the new account of one person count as one. */
  accounts: number;
  rows_before: number;
  rows_now: number;
  before_minor: bigint;
  now_minor: bigint;
}

/** $1 merchant, $2 mode, $3 this batch, $4 the earlier one. */
const BATCHES = ['$3', '$4'] as const;

/** Rows that are paid by a batch; all rows of one that may still be corrected before it is sent. */
const rowsOf = (
  batch: (typeof BATCHES)[number],
): string => `select i.batch_id = $3 as is_now, ${bankCodeOf('i')} as bank_code, i.account_number, i.amount_minor,
              i.position, coalesce(i.given_name, i.account_name) as name
         from batch_items i
        where i.merchant_id = $1 and i.mode = $2 and i.batch_id = ${batch} and i.position > 0
          and (i.is_valid or exists (
            select 1 from batches b where b.merchant_id = $1 and b.mode = $2 and b.id = ${batch} and b.status in ('VALIDATING', 'NEEDS_FIX', 'READY')))`;

/** Words before or after a name that are no part of it. */
const TITLES = `'mr', 'mrs', 'ms', 'miss', 'dr', 'engr', 'chief', 'alhaji', 'alhaja', 'mallam', 'prof', 'barr', 'rev', 'pastor'`;

/**
 * A key for one name in all its spellings: its words in one order, without capitals, punctuation and titles. Null for
 * none.
 */
const NAME_KEY = `(select string_agg(word, ' ' order by word)
                from regexp_split_to_table(lower(coalesce(a.name_before, a.name_now)), '[^[:alnum:]]+') word
               where word <> '' and word not in (${TITLES}))`;

const [IS_GONE, IS_NEW, IS_KEPT] = ['rows_now = 0', 'rows_before = 0', 'rows_before > 0 and rows_now > 0'];

/** One account that is gone and one that is new have this name, and no other account has: both are one person's. */
const IS_MOVED = 'gone_like = 1 and new_like = 1 and kept_like = 0';

/**
 * Every account of either list once, with what both lists pay to it. An account is a bank and a number; several rows to
 * one account are added up. Accounts of one list only are then compared by name: where one is gone and one is new, the
 * person has another account; where a name belongs to more than these two, nothing is guessed. `rank`, `group_at`,
 * `side` and `place` order them all, with accounts of one name together.
 */
const ENTRIES = `select k.kind, k.rank, k.group_at, k.side, k.place, k.position_now, k.position_before, k.rows_now, k.now_minor,
          case when k.kind = 'CHANGED_ACCOUNT' then k.moved_rows else k.rows_before end as rows_before,
          case when k.kind = 'CHANGED_ACCOUNT' then k.moved_minor else k.before_minor end as before_minor,
          case when k.kind = 'CHANGED_ACCOUNT' then k.moved_position else k.position_before end as shown_before
     from (
       select n.*, array_position(array[${DIFFERENCES.map((kind) => `'${kind}'`).join(', ')}], n.kind) as rank,
              case when n.rows_now = 0 then 0 else 1 end as side,
              coalesce(n.position_now, n.position_before) as place,
              coalesce(case n.kind when 'UNCLEAR' then n.first_new end, n.position_now, n.position_before) as group_at
         from (
           select w.*, case
                    when ${IS_KEPT} then case when before_minor = now_minor then 'SAME' else 'CHANGED_AMOUNT' end
                    when ${IS_GONE} then case when name_key is null or new_like = 0 then 'GONE'
                                             when ${IS_MOVED} then null else 'UNCLEAR' end
                    when name_key is null or gone_like + kept_like = 0 then 'NEW'
                    when ${IS_MOVED} then 'CHANGED_ACCOUNT' else 'UNCLEAR' end as kind
             from (
               select c.*,
                      count(*) filter (where ${IS_GONE}) over same_name as gone_like,
                      count(*) filter (where ${IS_NEW}) over same_name as new_like,
                      count(*) filter (where ${IS_KEPT}) over same_name as kept_like,
                      min(position_now) filter (where ${IS_NEW}) over same_name as first_new,
                      min(position_before) filter (where ${IS_GONE}) over same_name as moved_position,
                      min(rows_before) filter (where ${IS_GONE}) over same_name as moved_rows,
                      min(before_minor) filter (where ${IS_GONE}) over same_name as moved_minor
                 from (
                   select a.*, ${NAME_KEY} as name_key
                     from (
                       select count(*) filter (where not is_now)::int as rows_before,
                              count(*) filter (where is_now)::int as rows_now,
                              ${boundedSum('coalesce(sum(amount_minor) filter (where not is_now), 0)')} as before_minor,
                              ${boundedSum('coalesce(sum(amount_minor) filter (where is_now), 0)')} as now_minor,
                              min(position) filter (where not is_now) as position_before,
                              min(position) filter (where is_now) as position_now,
                              min(name) filter (where not is_now) as name_before,
                              min(name) filter (where is_now) as name_now
                         from (${BATCHES.map(rowsOf).join('\n        union all\n       ')}) rows
                        group by bank_code, account_number
                     ) a
                 ) c
               window same_name as (partition by name_key)
             ) w
         ) n
     ) k
    where k.kind is not null`;

/** What differs between an earlier list and this one, by kind; a kind without accounts has no row. */
export const countDifferences = statement<DifferenceCount>(
  'count-batch-differences',
  `select kind, count(*)::int as accounts, coalesce(sum(rows_before), 0)::int as rows_before,
          coalesce(sum(rows_now), 0)::int as rows_now, ${boundedSum('coalesce(sum(before_minor), 0)')} as before_minor,
          ${boundedSum('coalesce(sum(now_minor), 0)')} as now_minor
     from (${ENTRIES}) d
    group by kind`,
);

/** One side of an account: its first row in one of the lists. */
interface Side {
  id: string;
  position: number;
  bank_code: string;
  bank_name: string | null;
  account_number: string;
  account_name: string | null;
  given_name: string | null;
}

export type DifferenceRow = Omit<DifferenceCount, 'accounts'> & {
  rank: number;
  group_at: number;
  side: number;
  place: number;
  now: Side | null;
  before: Side | null;
};

const ORDER: ListOrder<DifferenceRow> = {
  direction: 'asc',
  keys: [
    { sql: 'd.rank', type: 'integer', of: ({ rank }) => rank },
    { sql: 'd.group_at', type: 'integer', of: ({ group_at }) => group_at },
    { sql: 'd.side', type: 'integer', of: ({ side }) => side },
    { sql: 'd.place', type: 'integer', of: ({ place }) => place },
  ],
};

/** The first row of an account in one of the lists, by its position there. */
const sideOf = (batch: (typeof BATCHES)[number], position: string): string =>
  `left join lateral (
       select json_build_object('id', i.id, 'position', i.position, 'bank_code', ${bankCodeOf('i')}, 'bank_name', i.bank_name,
                                'account_number', i.account_number, 'account_name', i.account_name,
                                'given_name', i.given_name) as item
         from batch_items i
        where i.merchant_id = $1 and i.mode = $2 and i.batch_id = ${batch} and i.position = ${position}
        limit 1
     )`;

/**
 * The accounts that `countDifferences` counts, of one kind or of all. @param accounts how many there are, where that is
 * known
 */
export function differenceList(
  { batch, earlier }: Compared,
  kind: Difference | undefined,
  accounts?: number,
): List<DifferenceRow> {
  const { merchant_id, mode, id } = batch;
  return {
    name: 'batch-differences',
    of: [merchant_id, mode, id, earlier.id, kind],
    order: ORDER,
    columns: `d.kind, d.rank, d.group_at, d.side, d.place, d.rows_before, d.rows_now, d.before_minor, d.now_minor,
          n.item as now, e.item as before`,
    // Only the rows of the page are looked up.
    from: (tail) => `(select d.* from (${ENTRIES}) d ${tail}) d
     ${sideOf('$3', 'd.position_now')} n on true
     ${sideOf('$4', 'd.shown_before')} e on true`,
    // The kind is one of our own words, so it may stand in the text.
    where: [kind === undefined ? 'd.kind is not null' : `d.kind = '${kind}'`],
    values: [merchant_id, mode, id, earlier.id],
    total: accounts,
  };
}

/** Earlier batches that are read to find one like this, counting only those that were paid. */
const RECENT_BATCHES = 200;
const PAID_BATCHES = 12;
/** Rows of this batch that are looked for in each of them. */
const SAMPLED_ROWS = 200;

/**
 * The newest earlier batch that was paid and has at least half of this one's accounts, judged by its first rows. None
 * is like an empty one.
 */
export const findBatchLike = statement<{ id: string }>(
  'find-batch-like',
  `select paid.id
     from (
       select recent.id
         from (select id, status, origin_batch_id from batches
                where merchant_id = $1 and mode = $2 and id < $3
                order by id desc limit ${RECENT_BATCHES}) recent
        where recent.status in ('COMPLETED', 'PARTIALLY_COMPLETED') and recent.origin_batch_id is null
        order by recent.id desc limit ${PAID_BATCHES}
     ) paid
    cross join lateral (
      select count(*) as sampled, count(same.found) as shared
        from (select i.account_number, ${bankCodeOf('i')} as bank_code from batch_items i
               where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3
               order by i.position limit ${SAMPLED_ROWS}) sample
        left join lateral (
          select 1 as found from batch_items e
           where e.merchant_id = $1 and e.mode = $2 and e.batch_id = paid.id and e.account_number = sample.account_number
             and e.position > 0 and e.is_valid and ${bankCodeOf('e')} = sample.bank_code
           limit 1
        ) same on true
    ) likeness
    where likeness.sampled > 0 and likeness.shared * 2 >= likeness.sampled
    order by paid.id desc limit 1`,
);
