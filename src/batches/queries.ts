import { LOW_MATCH_BELOW } from '../banks/index.ts';
import type { PayoutPurpose } from '../fees/index.ts';
import { movedBack, setInsert, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { OLDEST_ON_THEIR_WAY } from '../transactions/index.ts';
import type { BatchStatus } from './batch-state.ts';
import { itemColumns, settingOf } from './item-columns.ts';

/** A batch when it is created. */
export interface BatchRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  status: BatchStatus;
  reason: string | null;
  purpose: PayoutPurpose;
  scenario: string | null;
  version: number;
  item_count: number;
  open_items: number;
  due_at: Date | null;
  expires_at: Date;
  dispatched_at: Date | null;
  source: 'JSON' | 'CSV' | 'XLSX';
  file_name: string | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * A batch as its table has it, with its counters. Counters are changed by addition: items that are validated and
 * payouts that end take no version.
 */
export interface BatchRecord extends BatchRow {
  /** Of the items that were validated; the others wait. */
  valid_items: number;
  invalid_items: number;
  warned_items: number;
  low_match_items: number;
  /** Of the payouts; those that have not ended are `open_items`. */
  succeeded_items: number;
  failed_items: number;
  reversed_items: number;
  looked_up_to: number;
  silent_since: Date | null;
  /** Items that repeat a payout that was made or waits, as was found last, and what they add up to. */
  duplicate_items: number;
  duplicate_minor: bigint;
  items_digest: string | null;
  /** The version that the digest was made of. */
  digest_version: number | null;
  dispatched_digest: string | null;
  /** What was held; null before the dispatch. */
  amount_minor: bigint | null;
  fee_minor: bigint | null;
  vat_minor: bigint | null;
  stamp_duty_minor: bigint | null;
  /** The approval that it waits for, or was dispatched by; null where none was needed. */
  approval_id: string | null;
  /** The version of the approval rules that decided this. */
  rules_version: number | null;
  /** Its items count as duplicates for others: it waits for approval, or has chunks to expand. */
  holds_keys: boolean;
  /** The event since which they do. */
  holding_since: bigint | null;
  /** It was dispatched with duplicates. */
  allow_duplicate: boolean;
  /** The group action that is being carried out; null for none. */
  action_id: string | null;
  /** The batch whose failed and returned payouts it pays again; null for none. */
  origin_batch_id: string | null;
  /** The earlier batch that it was made from, to pay the same people once more; null for none. */
  repeated_batch_id: string | null;
  /** What the valid items, and the payouts that succeeded, add up to: in kobo, without charges. */
  valid_minor: bigint;
  succeeded_minor: bigint;
}

/** Items that are not validated yet. */
export function waitingItems(batch: Pick<BatchRecord, 'item_count' | 'valid_items' | 'invalid_items'>): number {
  return batch.item_count - batch.valid_items - batch.invalid_items;
}

export const insertBatches = setInsert<BatchRow>('batches', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  status: 'text',
  reason: 'text',
  purpose: 'text',
  scenario: 'text',
  version: 'integer',
  item_count: 'integer',
  open_items: 'integer',
  due_at: 'timestamptz',
  expires_at: 'timestamptz',
  dispatched_at: 'timestamptz',
  source: 'text',
  file_name: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

/** Payouts of a batch whose rail has not said what became of them: nothing but asking it again is left to do. */
export const countUnknownPayouts = statement<{ unknown: number }>(
  'count-unknown-payouts-of-batch',
  `select count(*)::int as unknown
     from ${OLDEST_ON_THEIR_WAY}
    cross join lateral (
      select p.batch_id from payouts p
       where p.merchant_id = $1 and p.mode = $2 and p.id = on_their_way.id
      offset 0
    ) p
    where on_their_way.reason = 'OUTCOME_UNKNOWN' and p.batch_id = $3`,
);

export type BatchUpdate = Pick<
  BatchRow,
  'merchant_id' | 'mode' | 'id' | 'version' | 'item_count' | 'expires_at' | 'dispatched_at' | 'updated_at'
>;

/**
 * All columns that change except state, date and counters. A group of movements has one such row for a batch: each
 * takes the next version.
 */
export const updateBatches = setStatement<BatchUpdate>(
  'update-batches',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    version: 'integer',
    item_count: 'integer',
    expires_at: 'timestamptz',
    dispatched_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  `update batches b
      set version = rows.version, item_count = rows.item_count, expires_at = rows.expires_at,
          dispatched_at = rows.dispatched_at, updated_at = rows.updated_at
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

export const updateBatchesApproval = setStatement<
  Pick<BatchRecord, 'merchant_id' | 'mode' | 'id' | 'approval_id' | 'rules_version'>
>(
  'update-batches-approval',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', approval_id: 'uuid', rules_version: 'integer' },
  `update batches b
      set approval_id = rows.approval_id, rules_version = rows.rules_version
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

/** A statement of its own: a change that leaves the date alone must not undo a worker's lease. */
export const updateBatchesDue = setStatement<Pick<BatchRow, 'merchant_id' | 'mode' | 'id' | 'due_at'>>(
  'update-batches-due',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', due_at: 'timestamptz' },
  `update batches b
      set due_at = rows.due_at
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

/**
 * One row for each payout that ended: those of one batch in a group are counted together. The last one makes the batch
 * due at once.
 */
export const updateBatchesPayoutsEnded = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  succeeded: number;
  failed: number;
  reversed: number;
  succeeded_minor: bigint;
}>(
  'update-batches-payouts-ended',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    succeeded: 'integer',
    failed: 'integer',
    reversed: 'integer',
    succeeded_minor: 'bigint',
  },
  `update batches b
      set succeeded_items = b.succeeded_items + ended.succeeded, failed_items = b.failed_items + ended.failed,
          reversed_items = b.reversed_items + ended.reversed, open_items = b.open_items - ended.items,
          succeeded_minor = b.succeeded_minor + ended.succeeded_minor,
          due_at = case when b.status = 'DISPATCHING' and ended.items > 0 and b.open_items = ended.items
                        then b.dispatched_at else b.due_at end
     from (
       select rows.merchant_id, rows.mode, rows.id, sum(rows.succeeded)::int as succeeded,
              sum(rows.failed)::int as failed, sum(rows.reversed)::int as reversed,
              sum(rows.succeeded_minor)::bigint as succeeded_minor,
              -- A reversal is no end: its payout ended before.
              sum(rows.succeeded + rows.failed + rows.reversed)::int as items
         from :rows
        group by 1, 2, 3
     ) ended
    where b.merchant_id = ended.merchant_id and b.mode = ended.mode and b.id = ended.id`,
);

export const findBatch = statement<BatchRecord>(
  'find-batch',
  'select * from batches where merchant_id = $1 and mode = $2 and id = $3',
);

const NEWEST: ListOrder<BatchRecord> = { direction: 'desc', keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }] };

/** Newest first. */
export function batchList({ merchantId, mode }: Tenant, status: BatchStatus | undefined): List<BatchRecord> {
  const where = ['merchant_id = $1', 'mode = $2'];
  // The status is one of our own words, so it may stand in the text.
  if (status !== undefined) where.push(`status = '${status}'`);
  const of = [merchantId, mode, status];
  return { name: 'batches', of, order: NEWEST, columns: '*', from: 'batches', where, values: [merchantId, mode] };
}

/**
 * Batches that a worker must look at, `$2` of a tenant and `$3` in all: of each tenant the longest due first. Reads
 * across merchants, so it runs outside money transactions, locking nothing.
 */
export const listDueBatches = statement<BatchRecord>(
  'list-due-batches',
  `select due.*
     from (select b.*, row_number() over (partition by b.merchant_id, b.mode order by b.due_at, b.id) as place
             from batches b where b.due_at is not null and b.due_at <= $1) due
    where due.place <= $2
    order by due.place, due.due_at limit $3`,
);

export const DUE_BATCHES = queue(listDueBatches, 'batches', 'due_at is not null and due_at <= $1');

/**
 * Moves a batch's date if no other worker did so first: this is how one worker leases it, and how it renews the lease.
 */
export const updateBatchDue = statement<{ id: string }>(
  'update-batch-due',
  `update batches set due_at = $5
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4
    returning id`,
);

export interface ItemRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  batch_id: string;
  /** From 1, in the order of the list. */
  position: number;
  amount_minor: bigint;
  /** The text of the file where it is no amount; the amount is then zero. */
  given_amount: string | null;
  bank_code: string;
  account_number: string;
  narration: string;
  phone_number: string | null;
  /** As the file has it. */
  given_name: string | null;
  account_name: string | null;
  bank_name: string | null;
  /** How similar the given name is to the bank's, 0 to 100. */
  match_score: number | null;
  is_valid: boolean;
  /** The problems that prevent its payment, as `ProblemData[]` in JSON; null for none. */
  item_errors: string | null;
  /** Other things that were noticed, in the same form. */
  item_warnings: string | null;
  /** The directory's code of the bank, where the given code is another one of it. */
  directory_bank_code: string | null;
  /** JSON, as text: what it repeats, as was found last; null for nothing. */
  repeats: string | null;
  validated_at: Date | null;
  created_at: Date;
  /** JSON: codes of warnings that somebody accepted; null for none. */
  accepted: string | null;
  /** The item of the origin batch that it pays again. */
  origin_item_id: string | null;
}

/** What items add to the counters of their batch, from rows like those of `batch_items` with a sign `n`. */
const COUNTED = `coalesce(sum(n) filter (where is_valid), 0)::int as valid,
              coalesce(sum(n) filter (where not is_valid), 0)::int as invalid,
              coalesce(sum(n) filter (where item_warnings is not null or repeats is not null), 0)::int as warned,
              coalesce(sum(n) filter (where match_score < ${LOW_MATCH_BELOW}), 0)::int as low_match,
              coalesce(sum(n * amount_minor) filter (where is_valid), 0)::bigint as valid_minor`;

/** For a statement whose part `changed` has items before (`n` -1) and after (`n` 1): counts them in their batches. */
export const COUNT_CHANGED = `update batches b
      set valid_items = b.valid_items + counted.valid, invalid_items = b.invalid_items + counted.invalid,
          warned_items = b.warned_items + counted.warned, low_match_items = b.low_match_items + counted.low_match,
          valid_minor = b.valid_minor + counted.valid_minor
     from (
       select merchant_id, mode, batch_id, ${COUNTED}
         from changed
        where validated_at is not null
        group by merchant_id, mode, batch_id
     ) counted
    where b.merchant_id = counted.merchant_id and b.mode = counted.mode and b.id = counted.batch_id`;

export const countedColumns = (from: string): string =>
  [
    ...['merchant_id', 'mode', 'batch_id', 'validated_at', 'is_valid', 'item_warnings', 'repeats', 'match_score'],
    'amount_minor',
  ]
    .map((column) => `${from}.${column}`)
    .join(', ');

const CORRECTED = itemColumns(
  ...(['amount_minor', 'given_amount', 'bank_code', 'account_number', 'narration', 'phone_number'] as const),
  ...(['given_name', 'account_name', 'bank_name', 'match_score', 'is_valid', 'item_errors', 'item_warnings'] as const),
  ...(['directory_bank_code', 'repeats', 'validated_at', 'accepted'] as const),
);

/**
 * Counts the item out as it was and in as it is now, whichever process changed it last. In a movement it comes after
 * the batch's own row: every change of items locks their batch first.
 */
export const updateItemsCorrected = setStatement<
  Omit<ItemRow, 'batch_id' | 'position' | 'created_at' | 'origin_item_id'>
>(
  'update-batch-items-corrected',
  { ...itemColumns('merchant_id', 'mode', 'id'), ...CORRECTED },
  `with before as (
     select i.id, ${countedColumns('i')}
       from batch_items i
       join :rows on i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id
        for update of i
   ), after as (
     update batch_items i
        set ${settingOf(CORRECTED)}
       from before
       join :rows on before.merchant_id = rows.merchant_id and before.mode = rows.mode and before.id = rows.id
      where i.merchant_id = before.merchant_id and i.mode = before.mode and i.id = before.id
     returning ${countedColumns('i')}
   ), changed as (
     select ${countedColumns('before')}, -1 as n from before
     union all
     select after.*, 1 from after
   )
   ${COUNT_CHANGED}`,
);

/** In a movement it comes after the batch's own row, like `updateItemsCorrected`. */
export const deleteItems = setStatement<{ merchant_id: string; mode: Mode; id: string }>(
  'delete-batch-items',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid' },
  `with gone as (
     delete from batch_items i using :rows
      where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id
     returning ${countedColumns('i')}
   ), changed as (
     select gone.*, -1 as n from gone
   )
   ${COUNT_CHANGED}`,
);

export const findItem = statement<ItemRow>(
  'find-batch-item',
  'select * from batch_items where merchant_id = $1 and mode = $2 and id = $3',
);

/**
 * As for payouts: moves time forward in a sandbox. A batch that a worker has keeps its lease, which runs in real time.
 */
export const updateBatchesAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-batches-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update batches b
      set due_at = case when b.status = 'VALIDATING' and b.silent_since is null then b.due_at
                        else ${movedBack('b.due_at', 'advance.seconds')} end,
          silent_since = ${movedBack('b.silent_since', 'advance.seconds')},
          expires_at = ${movedBack('b.expires_at', 'advance.seconds', 'b.created_at')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where b.merchant_id = advance.merchant_id and b.mode = advance.mode and b.due_at is not null`,
);
