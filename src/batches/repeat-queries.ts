import { bankCodeOf, firstItemToBePaid } from '../payouts/index.ts';
import { setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { type BatchRow, COUNT_CHANGED, countedColumns, type ItemRow } from './queries.ts';

/** `PAYOUT`, `SCHEDULE` and `WAITING_PAYOUT` are singles; `WAITING_BATCH` is not dispatched yet; `ROW` is of its own batch. */
export type RepeatKind = 'PAYOUT' | 'SCHEDULE' | 'WAITING_PAYOUT' | 'BATCH' | 'WAITING_BATCH' | 'ROW';

/** What an item repeats. */
export interface RepeatedRow {
  kind: RepeatKind;
  /** The payout; null for a row that is none yet. */
  subject_id: string | null;
  batch_id: string | null;
  /** The position of the row in its batch. */
  place: number | null;
  at: Date | null;
}

/** An item, what it was last found to repeat (JSON), and what it repeats now: nulls for nothing. */
export type ItemRepeat = { id: string; amount_minor: bigint; stored: string | null } & {
  [column in keyof RepeatedRow]: RepeatedRow[column] | null;
};

export type PlacedRepeat = ItemRepeat & { position: number };

/**
 * What valid items of a batch repeat of one other list, by the first item with the same payment: its position, and that
 * in the list.
 */
export interface RowsRepeated {
  kind: RepeatKind;
  batch_id: string;
  at: Date;
  positions: number[];
  places: number[];
}

/** $1 to $8: merchant, mode, batch, now, both windows in milliseconds, other batches, scopes besides `PAID`. */
const [MERCHANT, MODE, BATCH, NOW] = ['$1::uuid', '$2::text', '$3::uuid', '$4::timestamptz'];
/** With a window of zero, nothing is a duplicate. */
const ago = (windowMs: string): string => `${NOW} - make_interval(secs => ${windowMs}::bigint::float8 / 1000)`;
const [SINCE, LISTS_SINCE] = [ago('$5'), ago('$6')];
const UNTIL = `${NOW} + make_interval(secs => $5::bigint::float8 / 1000)`;

/** Whether another batch `b` still has to pay all of its rows, or would have when it is dispatched. */
const PAYS_ALL = `(b.status in ('VALIDATING', 'NEEDS_FIX', 'READY', 'PENDING_APPROVAL'))`;
const BATCH_KIND = `case when b.status in ('VALIDATING', 'NEEDS_FIX', 'READY') then 'WAITING_BATCH' else 'BATCH' end`;

/** Keys of a scope that are taken now; the condition that is always true chooses the index. */
const taken = (scope: string, since: string): string => `k.merchant_id = ${MERCHANT} and k.mode = ${MODE}
            and k.scope = ${scope} and k.until_at > ${since} and k.until_at > '-infinity' and k.from_at < ${UNTIL}
            and k.batch_id is distinct from ${BATCH}`;

const OF_ITEM = {
  merchant: MERCHANT,
  mode: MODE,
  accountNumber: 'p.account_number',
  amountMinor: 'p.amount_minor',
  bankCode: bankCodeOf('p'),
};

/**
 * What an item `p` repeats outside its batch. Each part reads an index once and has a limit: a plan that was made for
 * empty tables would otherwise read them whole.
 */
const VALUE = `concat_ws(':', ${bankCodeOf('p')}, p.account_number, p.amount_minor, 'NGN')`;
const OUTSIDE = `(select case when k.batch_id is not null then 'BATCH' when k.from_at > ${NOW} then 'SCHEDULE' else 'PAYOUT' end as kind,
              k.subject_id, k.batch_id,
              (select o.position from batch_items o
                where k.batch_id is not null and o.merchant_id = ${MERCHANT} and o.mode = ${MODE} and o.id = k.subject_id
              ) as place,
              k.from_at as at
         from dedupe_keys k
        where ${taken(`'PAID'`, LISTS_SINCE)} and k.value = ${VALUE}
          and (k.until_at > ${SINCE} or k.batch_id is not null)
        order by k.until_at desc limit 1)
       union all
       (select case k.scope when 'WAITING' then 'WAITING_PAYOUT' else 'SCHEDULE' end, k.subject_id, null, null, k.from_at
         from unnest($8::text[]) as scopes (scope)
        cross join lateral (
          select k.scope, k.subject_id, k.from_at from dedupe_keys k
           where ${taken('scopes.scope', SINCE)} and k.value = ${VALUE}
           order by k.until_at desc limit 1
        ) k
        limit 1)
       union all
       (select o.kind, null, o.id, o.place, o.at
         from unnest($7::uuid[]) as others (id)
        cross join lateral (
          select ${BATCH_KIND} as kind, b.id, i.position as place, coalesce(b.dispatched_at, b.created_at) as at
            from batches b
           cross join lateral (
             ${firstItemToBePaid(OF_ITEM, PAYS_ALL)}
           ) i
           where b.merchant_id = ${MERCHANT} and b.mode = ${MODE} and b.id = others.id
           limit 1
        ) o
        order by o.kind limit 1)`;

/** The first earlier row of the same batch with the same payment. */
const INSIDE = `(select 'ROW', null, null, e.position, null
         from batch_items e
        where e.merchant_id = ${MERCHANT} and e.mode = ${MODE} and e.batch_id = ${BATCH}
          and e.account_number = p.account_number and e.amount_minor = p.amount_minor
          and e.position > 0 and e.position < p.position and e.is_valid and ${bankCodeOf('e')} = ${bankCodeOf('p')}
        order by e.position limit 1)`;

const COLUMNS = 'p.id, p.amount_minor, p.repeats as stored, r.kind, r.subject_id, r.batch_id, r.place, r.at';

const rowsOf = (batch: string): string =>
  `i.merchant_id = ${MERCHANT} and i.mode = ${MODE} and i.batch_id = ${batch}.id and i.is_valid`;

/**
 * Valid items with the same payment as an earlier one: their positions, and that of the first one. For all items at
 * once, since each by itself would skip over all rows like it.
 */
export const listRowsBefore = statement<{ positions: number[]; firsts: number[] }>(
  'list-batch-rows-before',
  `select coalesce(array_agg(r.position), '{}') as positions, coalesce(array_agg(r.first), '{}') as firsts
     from (
       select p.position, min(p.position) over (partition by p.account_number, p.amount_minor, p.bank_code) as first
         from (
           select i.position, i.account_number, i.amount_minor, ${bankCodeOf('i')} as bank_code from batch_items i
            where i.merchant_id = ${MERCHANT} and i.mode = ${MODE} and i.batch_id = ${BATCH} and i.is_valid
            order by i.position offset 0
         ) p
     ) r
    where r.position > r.first`,
);

/**
 * Of the valid items from position `$9` on, before `$10`: those that repeat something outside, those that did at the
 * last check, and those with a mark in `$11`. A mark of another position stands for the first item with the same
 * payment, which is looked up for both; `offset 0` keeps that condition from being evaluated only after the look.
 */
export const listItemRepeats = statement<PlacedRepeat>(
  'list-batch-item-repeats',
  `select ${COLUMNS}, p.position
     from (
       select i.*, coalesce(($11::int[])[i.position - $9::int + 1], 0) as mark from batch_items i
        where i.merchant_id = ${MERCHANT} and i.mode = ${MODE} and i.batch_id = ${BATCH}
          and i.position >= $9::int and i.position < $10::int and i.is_valid
        order by i.position offset 0
     ) p
     left join lateral (
       select o.* from (${OUTSIDE} limit 1) o where $5 > 0 and p.mark in (0, p.position) offset 0
     ) r on true
    where r.kind is not null or p.repeats is not null or p.mark > 0
    order by p.position`,
);

/** What one item repeats as it is about to be: its id, position, amount, account and bank. */
export const findItemRepeat = statement<ItemRepeat>(
  'find-batch-item-repeat',
  `select ${COLUMNS}
     from (select $9::uuid as id, $10::integer as position, $11::bigint as amount_minor, $12::text as account_number,
            $13::text as bank_code, null::text as directory_bank_code, null::text as repeats) p
     left join lateral (
       ${OUTSIDE}
       union all
       ${INSIDE}
       limit 1
     ) r on $5 > 0`,
);

/**
 * The same from the other side, for batches `$4` with no more items than this one: their payments, each once, and the
 * first item of this batch that is one of them. An account and an amount are looked up once, whatever banks they are
 * with. Otherwise equal rows would be found by each other, the square of their number.
 */
export const listRowsRepeated = statement<RowsRepeated>(
  'list-batch-rows-repeated',
  `select f.kind, f.batch_id, f.at, array_agg(f.position) as positions, array_agg(f.place) as places
     from (
       select distinct on (p.position) p.position, b.kind, b.id as batch_id, b.at,
              i.places[array_position(i.bank_codes, p.bank_code)] as place
         from unnest($4::uuid[]) with ordinality as others (id, nth)
        cross join lateral (
          select ${BATCH_KIND} as kind, b.id, b.status, coalesce(b.dispatched_at, b.created_at) as at
            from batches b
           where b.merchant_id = ${MERCHANT} and b.mode = ${MODE} and b.id = others.id
          offset 0
        ) b
        cross join lateral (
          select i.account_number, i.amount_minor, array_agg(i.bank_code) as bank_codes, array_agg(i.place) as places
            from (
              select i.account_number, i.amount_minor, ${bankCodeOf('i')} as bank_code, min(i.position) as place
                from (
                  (select i.* from batch_items i
                    where b.status <> 'DISPATCHING' and ${rowsOf('b')}
                    order by i.position offset 0)
                  union all
                  (select i.* from batch_chunks c
                    cross join lateral (
                      select i.* from batch_items i
                       where ${rowsOf('b')} and i.position between c.first_position and c.last_position
                       order by i.position offset 0
                    ) i
                    where b.status = 'DISPATCHING' and c.merchant_id = ${MERCHANT} and c.mode = ${MODE} and c.batch_id = b.id
                      and c.due_at is not null
                    order by c.chunk offset 0)
                ) i
               group by 1, 2, 3
            ) i
           group by 1, 2
          offset 0
        ) i
        cross join lateral (
          select p.bank_code, min(p.position) as position
            from (
              select ${bankCodeOf('p')} as bank_code, p.position from batch_items p
               where p.merchant_id = ${MERCHANT} and p.mode = ${MODE} and p.batch_id = ${BATCH}
                 and p.account_number = i.account_number and p.amount_minor = i.amount_minor and p.position > 0
                 and p.is_valid and ${bankCodeOf('p')} = any(i.bank_codes)
               order by p.position offset 0
            ) p
           group by p.bank_code
          offset 0
        ) p
        order by p.position, b.kind, others.nth
     ) f
    group by f.kind, f.batch_id, f.at`,
);

export interface OtherBatch {
  id: string;
  item_count: number;
  valid_items: number;
  version: number;
}

/** Batches whose rows a batch may repeat: those that hold keys, and of the earlier ones that wait the last `$4`. */
export const listOtherBatches = statement<OtherBatch>(
  'list-other-batches',
  `(select id, item_count, valid_items, version from batches
     where merchant_id = ${MERCHANT} and mode = ${MODE} and holds_keys and id <> ${BATCH})
   union all
   (select id, item_count, case status when 'VALIDATING' then 0 else valid_items end, version from batches
     where merchant_id = ${MERCHANT} and mode = ${MODE} and status in ('VALIDATING', 'NEEDS_FIX', 'READY') and id < ${BATCH}
     order by id desc limit $4)`,
);

/** Which of the scopes `$3` have keys that were taken since `$4`. */
export const listTakenScopes = statement<{ scope: string }>(
  'list-taken-scopes',
  `select scopes.scope
     from unnest($3::text[]) as scopes (scope)
    cross join lateral (
      select 1 from dedupe_keys k
       where k.merchant_id = ${MERCHANT} and k.mode = ${MODE} and k.scope = scopes.scope and k.until_at > $4
         and k.until_at > '-infinity'
       limit 1
    ) one`,
);

/**
 * Whether a key of one of its items was taken, or another batch began to hold keys, after this event. It costs little,
 * because little has come since: so a dispatch can ask under the lock of the books.
 */
export const findRepeatsSince = setQuestion<
  { merchant_id: string; mode: Mode; batch_id: string; since: bigint },
  { place: number }
>(
  'find-repeats-since',
  { merchant_id: 'uuid', mode: 'text', batch_id: 'uuid', since: 'bigint' },
  `select rows.place::int as place
     from :rows
    where exists (
            select 1 from batches b
             where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.holds_keys and b.id <> rows.batch_id
               and b.holding_since > rows.since
          )
       or exists (
            select 1 from (
              select split_part(k.value, ':', 2) as account_number, split_part(k.value, ':', 3)::bigint as amount_minor,
                     array_agg(distinct split_part(k.value, ':', 1)) as bank_codes
                from (
                  select k.value from dedupe_keys k
                   where k.merchant_id = rows.merchant_id and k.mode = rows.mode and k.sequence > rows.since
                     -- True of every key: the index by sequence is for what names this.
                     and k.sequence >= 0 and k.batch_id is distinct from rows.batch_id
                   order by k.sequence offset 0
                ) k
               -- Each once: a thousand keys of one payment do not each pass over the rows that are like it.
               group by 1, 2
              offset 0
            ) k
            cross join lateral (
              select 1 from batch_items i
               where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.batch_id = rows.batch_id
                 and i.account_number = k.account_number and i.amount_minor = k.amount_minor and i.position > 0
                 and i.is_valid and ${bankCodeOf('i')} = any(k.bank_codes)
               limit 1
            ) i
          )`,
);

/** Locks the batch for what is written about its items, unless it has changed since they were read. */
export const lockBatchVersion = statement<{ id: string }>(
  'lock-batch-version',
  'select id from batches where merchant_id = $1 and mode = $2 and id = $3 and version = $4 for update',
);

/** In a movement it comes after the batch's own row, like every change of items. */
export const updateItemsRepeats = setStatement<Pick<ItemRow, 'merchant_id' | 'mode' | 'id' | 'repeats'>>(
  'update-batch-items-repeats',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', repeats: 'text' },
  `with before as (
     select i.id, ${countedColumns('i')}
       from batch_items i
       join :rows on i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id
   ), after as (
     update batch_items i
        set repeats = rows.repeats
       from :rows
      where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id
     returning ${countedColumns('i')}
   ), changed as (
     select ${countedColumns('before')}, -1 as n from before
     union all
     select after.*, 1 from after
   )
   ${COUNT_CHANGED}`,
);

export const updateBatchDuplicates = statement(
  'update-batch-duplicates',
  `update batches set duplicate_items = $5, duplicate_minor = $6
    where merchant_id = $1 and mode = $2 and id = $3 and version = $4
      and (duplicate_items <> $5 or duplicate_minor <> $6)`,
);

/** The first item that repeats something, as was found last. */
export const findFirstRepeat = statement<{ position: number; repeats: string }>(
  'find-first-batch-repeat',
  `select position, repeats from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and repeats is not null
    order by position limit 1`,
);

/** Whether its items count as duplicates for others, numbered by the event of its movement. */
export const updateBatchesHolding = setStatement<
  Pick<BatchRow, 'merchant_id' | 'mode' | 'id'> & { holds_keys: boolean; sequence: bigint }
>(
  'update-batches-holding',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', holds_keys: 'boolean', sequence: 'bigint' },
  `update batches b
      set holds_keys = rows.holds_keys, holding_since = case when rows.holds_keys then rows.sequence else b.holding_since end
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);
