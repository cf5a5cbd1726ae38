import type { PayoutPurpose } from '../../fees/index.ts';
import { setInsert, setStatement, statement } from '../../platform/db/statement.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { TransactionStatus } from '../../transactions/index.ts';
import type { BatchStatus } from './batch-state.ts';

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
  due_at: string | Date | null;
  expires_at: string | Date;
  dispatched_at: string | Date | null;
  source: 'JSON' | 'CSV' | 'XLSX';
  file_name: string | null;
  created_at: string | Date;
  updated_at: string | Date;
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

export type BatchUpdate = Omit<
  BatchRow,
  'status' | 'reason' | 'purpose' | 'scenario' | 'due_at' | 'source' | 'file_name' | 'created_at'
>;

/** All that changes but state and date. A group has one such row for a batch: each takes the version before it. */
export const updateBatches = setStatement<BatchUpdate>(
  'update-batches',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    version: 'integer',
    item_count: 'integer',
    open_items: 'integer',
    expires_at: 'timestamptz',
    dispatched_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  `update batches b
      set version = rows.version, item_count = rows.item_count, open_items = rows.open_items,
          expires_at = rows.expires_at, dispatched_at = rows.dispatched_at, updated_at = rows.updated_at
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

/** Apart from the rest: a change that leaves the date alone must not undo a worker's lease. */
export const updateBatchesDue = setStatement<Pick<BatchRow, 'merchant_id' | 'mode' | 'id' | 'due_at'>>(
  'update-batches-due',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', due_at: 'timestamptz' },
  `update batches b
      set due_at = rows.due_at
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode and b.id = rows.id`,
);

/** One row for each payout that ended: many of one batch in a group count it down together. */
export const updateBatchesItemsEnded = setStatement<{ merchant_id: string; mode: string; id: string }>(
  'update-batches-items-ended',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid' },
  `update batches b
      set open_items = b.open_items - ended.items
     from (select rows.merchant_id, rows.mode, rows.id, count(*)::int as items from :rows group by 1, 2, 3) ended
    where b.merchant_id = ended.merchant_id and b.mode = ended.mode and b.id = ended.id`,
);

export const findBatch = statement<BatchRow>(
  'find-batch',
  'select * from batches where merchant_id = $1 and mode = $2 and id = $3',
);

export const findBatchOfItem = statement<BatchRow>(
  'find-batch-of-item',
  `select b.* from batch_items i
     join batches b on b.merchant_id = i.merchant_id and b.mode = i.mode and b.id = i.batch_id
    where i.merchant_id = $1 and i.mode = $2 and i.id = $3`,
);

/** Newest first; a null status is any. */
export const listBatches = statement<BatchRow>(
  'list-batches',
  `select * from batches
    where merchant_id = $1 and mode = $2 and ($3::text is null or status = $3)
    order by id desc offset $4 limit $5`,
);

export const countBatches = statement<{ total: number }>(
  'count-batches',
  `select count(*)::int as total from batches
    where merchant_id = $1 and mode = $2 and ($3::text is null or status = $3)`,
);

/** Batches that a worker must look at. Looks across merchants, so it runs outside money transactions, locking nothing. */
export const listDueBatches = statement<BatchRow>(
  'list-due-batches',
  'select * from batches where due_at is not null and due_at <= $1 order by due_at limit $2',
);

/** Moves a batch's date if nobody did so first: that is how one worker takes it up, and how it keeps it. */
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
  /** From 1, as given. */
  position: number;
  amount_minor: bigint;
  bank_code: string;
  account_number: string;
  narration: string;
  phone_number: string | null;
  /** As the file had it. */
  given_name: string | null;
  account_name: string | null;
  bank_name: string | null;
  /** How like the bank's name the given one is, 0 to 100. */
  match_score: number | null;
  is_valid: boolean;
  reason: string | null;
  /** JSON array of sentences, as text. */
  warnings: string | null;
  validated_at: string | Date | null;
  created_at: string | Date;
}

export const insertItems = setInsert<ItemRow>('batch_items', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  batch_id: 'uuid',
  position: 'integer',
  amount_minor: 'bigint',
  bank_code: 'text',
  account_number: 'text',
  narration: 'text',
  phone_number: 'text',
  given_name: 'text',
  account_name: 'text',
  bank_name: 'text',
  match_score: 'integer',
  is_valid: 'boolean',
  reason: 'text',
  warnings: 'text',
  validated_at: 'timestamptz',
  created_at: 'timestamptz',
});

export const updateItemsMended = setStatement<
  Omit<ItemRow, 'batch_id' | 'position' | 'created_at' | 'given_name' | 'match_score' | 'warnings'>
>(
  'update-batch-items-mended',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    amount_minor: 'bigint',
    bank_code: 'text',
    account_number: 'text',
    narration: 'text',
    phone_number: 'text',
    account_name: 'text',
    bank_name: 'text',
    is_valid: 'boolean',
    reason: 'text',
    validated_at: 'timestamptz',
  },
  `update batch_items i
      set amount_minor = rows.amount_minor, bank_code = rows.bank_code, account_number = rows.account_number,
          narration = rows.narration, phone_number = rows.phone_number, account_name = rows.account_name,
          bank_name = rows.bank_name, is_valid = rows.is_valid, reason = rows.reason, validated_at = rows.validated_at
     from :rows
    where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id`,
);

export type ItemVerdict = Pick<
  ItemRow,
  'merchant_id' | 'mode' | 'id' | 'account_name' | 'bank_name' | 'is_valid' | 'reason' | 'validated_at'
>;

/** What the worker found out. An item that was mended meanwhile has been looked at since, and keeps that. */
export const updateItemsValidated = setStatement<ItemVerdict>(
  'update-batch-items-validated',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    account_name: 'text',
    bank_name: 'text',
    is_valid: 'boolean',
    reason: 'text',
    validated_at: 'timestamptz',
  },
  `update batch_items i
      set account_name = rows.account_name, bank_name = rows.bank_name, is_valid = rows.is_valid, reason = rows.reason,
          validated_at = rows.validated_at
     from :rows
    where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id and i.validated_at is null`,
);

export const deleteItems = setStatement<{ merchant_id: string; mode: string; id: string }>(
  'delete-batch-items',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid' },
  `delete from batch_items i using :rows
    where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id`,
);

export const findItem = statement<ItemRow>(
  'find-batch-item',
  'select * from batch_items where merchant_id = $1 and mode = $2 and id = $3',
);

/** Items that nobody has looked at yet, in the order in which they were given, after a position. */
export const listItemsToValidate = statement<ItemRow>(
  'list-batch-items-to-validate',
  `select * from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and validated_at is null and position > $4
    order by position limit $5`,
);

export const listValidItems = statement<ItemRow>(
  'list-valid-batch-items',
  `select * from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and is_valid
    order by position`,
);

/** With the state of its payout, once it has become one. */
export interface ListedItemRow extends ItemRow {
  payout_status: TransactionStatus | null;
  payout_reason: string | null;
}

/** In the order in which they were given; a null validity is any. */
export const listItems = statement<ListedItemRow>(
  'list-batch-items',
  `select i.*, t.status as payout_status, t.reason as payout_reason
     from batch_items i
     left join transactions t on t.merchant_id = i.merchant_id and t.mode = i.mode and t.id = i.id
    where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3 and ($4::boolean is null or i.is_valid = $4)
    order by i.position offset $5 limit $6`,
);

export const countListedItems = statement<{ total: number }>(
  'count-listed-batch-items',
  `select count(*)::int as total from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and ($4::boolean is null or is_valid = $4)`,
);

export interface ItemCounts {
  total: number;
  valid: number;
  invalid: number;
  waiting: number;
}

export const countItems = statement<ItemCounts>(
  'count-batch-items',
  `select count(*)::int as total,
          count(*) filter (where is_valid)::int as valid,
          count(*) filter (where validated_at is not null and not is_valid)::int as invalid,
          count(*) filter (where validated_at is null)::int as waiting
     from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3`,
);

/** The amounts of the items that can be paid, each with how often it occurs: enough to price the whole batch. */
export const listItemAmounts = statement<{ amount_minor: bigint; items: number }>(
  'list-batch-item-amounts',
  `select amount_minor, count(*)::int as items from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and is_valid
    group by amount_minor`,
);

/** What a dispatched batch cost, and in which states its payouts are. */
export const sumBatchPayouts = statement<{
  status: TransactionStatus;
  payouts: number;
  amount_minor: bigint;
  fee_minor: bigint;
  vat_minor: bigint;
  stamp_duty_minor: bigint;
}>(
  'sum-batch-payouts',
  `select t.status, count(*)::int as payouts, sum(t.amount_minor)::bigint as amount_minor,
          sum(p.fee_minor)::bigint as fee_minor, sum(p.vat_minor)::bigint as vat_minor,
          sum(p.stamp_duty_minor)::bigint as stamp_duty_minor
     from payouts p
     join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
    where p.merchant_id = $1 and p.mode = $2 and p.batch_id = $3
    group by t.status`,
);

/** As for payouts: time forward in a sandbox. */
export const updateBatchesAdvanced = setStatement<{ merchant_id: string; mode: string; seconds: number }>(
  'update-batches-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update batches b
      set due_at = b.due_at - make_interval(secs => advance.seconds),
          expires_at = b.expires_at - make_interval(secs => advance.seconds)
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where b.merchant_id = advance.merchant_id and b.mode = advance.mode and b.due_at is not null`,
);
