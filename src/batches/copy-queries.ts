import { setInsert, setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { TransactionStatus } from '../transactions/index.ts';
import type { BatchStatus } from './batch-state.ts';
import { type ITEM_COLUMNS, itemColumns } from './item-columns.ts';
import type { ItemRow } from './queries.ts';

/** The next items of a dispatched batch after a position that were dispatched with it, whatever their outcome. */
export const listItemsToRepeat = statement<ItemRow>(
  'list-batch-items-to-repeat',
  `select * from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and position > $4 and is_valid
    order by position limit $5`,
);

/** An item made from one of an earlier batch, not validated yet. */
export type CopiedItemRow = {
  merchant_id: string;
  mode: Mode;
  id: string;
  batch_id: string;
  position: number;
  amount_minor: bigint;
  bank_code: string;
  account_number: string;
  narration: string;
  phone_number: string | null;
  given_name: string | null;
  created_at: Date;
  is_valid: boolean;
  origin_item_id: string | null;
};

const COPIED = itemColumns(
  ...(['merchant_id', 'mode', 'id', 'batch_id', 'position', 'amount_minor', 'bank_code', 'account_number'] as const),
  ...(['narration', 'phone_number', 'given_name', 'created_at', 'is_valid', 'origin_item_id'] as const),
) satisfies Partial<typeof ITEM_COLUMNS>;

export const insertCopiedItems = setInsert<CopiedItemRow>('batch_items', COPIED);

/**
 * Which earlier batch a new one is made from, and why: to pay again what failed, or to pay the same people once more.
 */
export const updateBatchesOrigin = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  origin_batch_id: string | null;
  repeated_batch_id: string | null;
}>(
  'update-batches-origin',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', origin_batch_id: 'uuid', repeated_batch_id: 'uuid' },
  `update batches b
      set origin_batch_id = rows.origin_batch_id, repeated_batch_id = rows.repeated_batch_id
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

export interface PayoutStateRow {
  id: string;
  status: TransactionStatus;
  reason: string | null;
}

/** How payouts stand, by their ids. */
export const listPayoutStates = statement<PayoutStateRow>(
  'list-payout-states',
  `select id, status, reason from transactions where merchant_id = $1 and mode = $2 and id = any($3::uuid[])`,
);

export interface RetryRow {
  id: string;
  status: BatchStatus;
  items: number;
}

/** Retry lists of a batch, the newest first, with how many items they pay or may pay. */
export const listRetries = statement<RetryRow>(
  'list-batch-retries',
  `select id, status, case when dispatched_at is null then item_count else valid_items end as items
     from batches
    where merchant_id = $1 and mode = $2 and origin_batch_id = $3
    order by id desc`,
);

/**
 * Items of a batch that are in a retry list which may still pay them, or has paid them. An item that was removed from
 * one by a group action may be put back until the list is dispatched.
 */
export const listItemsRetried = statement<{ origin_item_id: string | null }>(
  'list-batch-items-retried',
  `select o.origin_item_id
     from batches r
    cross join lateral (
      select o.origin_item_id, o.is_valid from batch_items o
       where o.merchant_id = $1 and o.mode = $2 and o.batch_id = r.id and o.origin_item_id is not null
       order by o.position offset 0
    ) o
    where r.merchant_id = $1 and r.mode = $2 and r.origin_batch_id = $3 and r.status not in ('CANCELLED', 'EXPIRED')
      and (o.is_valid or r.dispatched_at is null)
    union all
   select (i.before::json ->> 'origin_item_id')::uuid as origin_item_id
     from batches r
    cross join lateral (
      select a.id from batch_actions a
       where a.merchant_id = $1 and a.mode = $2 and a.batch_id = r.id and a.kind = 'LEAVE_OUT'
      offset 0
    ) a
    cross join lateral (
      select i.before from batch_action_items i
       where i.merchant_id = $1 and i.mode = $2 and i.action_id = a.id
       order by i.position offset 0
    ) i
    where r.merchant_id = $1 and r.mode = $2 and r.origin_batch_id = $3 and r.status not in ('CANCELLED', 'EXPIRED')
      and r.dispatched_at is null and i.before::json ->> 'origin_item_id' is not null`,
);

/**
 * The next items of a batch after a position whose payouts failed for good or were returned. Never an item whose
 * outcome is unknown, nor one that is before the operator: its rail may have reported since that it paid.
 */
export const listItemsToRetry = statement<ItemRow>(
  'list-batch-items-to-retry',
  `select i.*
     from batch_items i
    cross join lateral (
      select status from transactions
       where merchant_id = $1 and mode = $2 and id = i.id
      offset 0
    ) t
    cross join lateral (
      select operator_reason from payouts
       where merchant_id = $1 and mode = $2 and id = i.id
      offset 0
    ) p
    where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3 and i.position > $4 and i.is_valid
      and t.status in ('FAILED', 'REVERSED') and p.operator_reason is null
    order by i.position limit $5`,
);

/**
 * `uncertain`: payouts that are before the operator, of a batch or of an earlier one in the chain of retry lists, and
 * from list to list the items that pay them again.
 */
const uncertainOf = (merchant: string, mode: string, batch: string): string => `with recursive line (id, origin_id) as (
       select b.id, b.origin_batch_id from batches b
        where b.merchant_id = ${merchant} and b.mode = ${mode} and b.id = ${batch}
       union
       select b.id, b.origin_batch_id from line
         join batches b on b.merchant_id = ${merchant} and b.mode = ${mode} and b.id = line.origin_id
     ), uncertain (id, batch_id) as (
       select p.id, p.batch_id from payouts p
         join line on line.id = p.batch_id
        where p.merchant_id = ${merchant} and p.mode = ${mode} and p.operator_reason is not null
       union
       select i.id, i.batch_id from uncertain
         join line on line.origin_id = uncertain.batch_id
         join batch_items i on i.merchant_id = ${merchant} and i.mode = ${mode} and i.batch_id = line.id
          and i.origin_item_id = uncertain.id
     )`;

/**
 * Items of a batch that are before the operator, or that pay such an item again: a rail may have reported since that it
 * paid.
 */
export const listUncertainItems = statement<{ id: string }>(
  'list-uncertain-batch-items',
  `${uncertainOf('$1', '$2', '$3')}
   select u.id from uncertain u where u.batch_id = $3`,
);

/**
 * Of these items, those that pay again one that is before the operator: found by following each item back to its
 * origins, so that few items of a long list cost little.
 */
export const findUncertainOrigins = statement<{ id: string }>(
  'find-uncertain-origins-of-items',
  `with recursive line (id, origin_item_id) as (
     select given.id, i.origin_item_id from unnest($3::uuid[]) as given (id)
      cross join lateral (
        select i.origin_item_id from batch_items i
         where i.merchant_id = $1 and i.mode = $2 and i.id = given.id
        offset 0
      ) i
     union
     select line.id, i.origin_item_id from line
      cross join lateral (
        select i.origin_item_id from batch_items i
         where i.merchant_id = $1 and i.mode = $2 and i.id = line.origin_item_id
        offset 0
      ) i
      where i.origin_item_id is not null
   )
   select distinct line.id from line
    cross join lateral (
      select p.operator_reason from payouts p
       where p.merchant_id = $1 and p.mode = $2 and p.id = line.origin_item_id
      offset 0
    ) p
    where p.operator_reason is not null`,
);

/**
 * For each of these batches, the first valid item that pays again one that is before the operator, along the chain of
 * retry lists.
 */
export const findUncertainItems = setQuestion<
  { merchant_id: string; mode: Mode; batch_id: string },
  { place: number; position: number }
>(
  'find-uncertain-batch-items',
  { merchant_id: 'uuid', mode: 'text', batch_id: 'uuid' },
  `select rows.place::int as place, found.position
     from :rows
    cross join lateral (
     ${uncertainOf('rows.merchant_id', 'rows.mode', 'rows.batch_id')}
     select i.position from uncertain u
       join batch_items i on i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = u.id
      where u.batch_id = rows.batch_id and i.is_valid
      order by i.position limit 1
    ) found`,
);
