import { type Read, statement } from '../../../platform/db/statement.ts';
import type { List, ListOrder } from '../../../platform/lists/list.ts';
import type { TransactionStatus } from '../../../transactions/index.ts';
import type { BatchRow, ItemRow } from '../queries.ts';

/** With the state of its payout, once it has become one. */
export interface ListedItemRow extends ItemRow {
  payout_status: TransactionStatus | null;
  payout_reason: string | null;
}

const LISTED = 'i.*, t.status as payout_status, t.reason as payout_reason';

/** Each by its key: joined otherwise, a plan made for few rows would read all transactions of the merchant. */
const ITEMS_WITH_PAYOUT = `batch_items i
     left join lateral (
       select status, reason from transactions
        where merchant_id = i.merchant_id and mode = i.mode and id = i.id
       offset 0
     ) t on true`;

export const findListedItem = statement<Read<ListedItemRow>>(
  'find-listed-batch-item',
  `select ${LISTED} from ${ITEMS_WITH_PAYOUT}
    where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3 and i.id = $4`,
);

export interface ItemFilter {
  isValid?: boolean | undefined;
  hasWarnings?: boolean | undefined;
  isDuplicate?: boolean | undefined;
}

export const AS_GIVEN: ListOrder<ListedItemRow> = {
  direction: 'asc',
  keys: [{ sql: 'i.position', type: 'integer', of: ({ position }) => position }],
};

/** The items of a batch in the order in which they were given. */
export function itemList(
  { merchant_id, mode, id }: Pick<BatchRow, 'merchant_id' | 'mode' | 'id'>,
  { isValid, hasWarnings, isDuplicate }: ItemFilter = {},
): List<Read<ListedItemRow>> {
  const where = ['i.merchant_id = $1', 'i.mode = $2', 'i.batch_id = $3'];
  if (isValid !== undefined) where.push(isValid ? 'i.is_valid' : 'not i.is_valid');
  if (hasWarnings !== undefined) {
    where.push(
      hasWarnings ? '(i.warnings is not null or i.repeats is not null)' : 'i.warnings is null and i.repeats is null',
    );
  }
  if (isDuplicate !== undefined) where.push(`i.repeats is ${isDuplicate ? 'not ' : ''}null`);
  const filters = [isValid, hasWarnings, isDuplicate];
  return {
    name: 'batch-items',
    of: [merchant_id, mode, id, ...filters],
    order: AS_GIVEN,
    columns: LISTED,
    from: ITEMS_WITH_PAYOUT,
    countFrom: 'batch_items i',
    where,
    values: [merchant_id, mode, id],
    // The batch counts as it goes.
    ...(filters.every((one) => one === undefined) && {
      total: 'select item_count from batches where merchant_id = $1 and mode = $2 and id = $3',
    }),
  };
}

export const findLastPosition = statement<{ position: number }>(
  'find-last-batch-item-position',
  `select position from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3
    order by merchant_id, batch_id, position desc limit 1`,
);
