import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { type ITEM_COLUMNS, itemColumns } from './item-columns.ts';
import type { ItemRow } from './queries.ts';

/** The next items of a dispatched batch after a position that were dispatched with it, whatever became of them. */
export const listItemsToRepeat = statement<ItemRow>(
  'list-batch-items-to-repeat',
  `select * from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and position > $4 and is_valid
    order by position limit $5`,
);

/** An item that is made from one of an earlier batch: nobody has looked at it. */
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

/** Which earlier batch a new one is made from, and why: to pay again what failed, or the same people once more. */
export const updateBatchesOrigin = setStatement<{
  merchant_id: string;
  mode: string;
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
