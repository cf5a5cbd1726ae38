import { setStatement, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { TransactionStatus } from '../transactions/index.ts';
import { hasProblem } from './group-queries.ts';
import { boundedSum, itemColumns, settingOf } from './item-columns.ts';
import { type BatchRow, COUNT_CHANGED, countedColumns, type ItemRow } from './queries.ts';

/** An item with the state of its payout, once it has one. */
export interface ListedItemRow extends ItemRow {
  payout_status: TransactionStatus | null;
  payout_reason: string | null;
}

const LISTED = 'i.*, t.status as payout_status, t.reason as payout_reason';

/** Each row by its key: joined otherwise, a plan made for few rows would read all transactions of the merchant. */
const ITEMS_WITH_PAYOUT = `batch_items i
     left join lateral (
       select status, reason from transactions
        where merchant_id = $1 and mode = $2 and id = i.id
       offset 0
     ) t on true`;

export const findListedItem = statement<ListedItemRow>(
  'find-listed-batch-item',
  `select ${LISTED} from ${ITEMS_WITH_PAYOUT}
    where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3 and i.id = $4`,
);

export interface ItemFilter {
  isValid?: boolean | undefined;
  hasWarnings?: boolean | undefined;
  isDuplicate?: boolean | undefined;
  /** Code of a problem that they have; with `cause`, of one group. */
  problem?: string | undefined;
  cause?: string | undefined;
  /** Their outcome after the dispatch. */
  outcome?: ItemOutcome | undefined;
  /** The most different names first. */
  byMatch?: boolean | undefined;
}

export const ITEM_OUTCOMES = ['PAID', 'FAILED', 'RETURNED', 'LEFT_OUT', 'IN_PROGRESS'] as const;
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** The outcome of an item `i` with its payout `t`, once the batch is dispatched. */
const OUTCOME = `case when not i.is_valid then 'LEFT_OUT'
                 when t.status = 'SUCCESS' then 'PAID'
                 when t.status in ('FAILED', 'CANCELLED') then 'FAILED'
                 when t.status = 'REVERSED' then 'RETURNED'
                 else 'IN_PROGRESS' end`;

const BY_MATCH: ListOrder<ListedItemRow> = {
  direction: 'asc',
  keys: [
    { sql: 'coalesce(i.match_score, 101)', type: 'integer', of: ({ match_score }) => match_score ?? 101 },
    { sql: 'i.position', type: 'integer', of: ({ position }) => position },
  ],
};

export const AS_GIVEN: ListOrder<ListedItemRow> = {
  direction: 'asc',
  keys: [{ sql: 'i.position', type: 'integer', of: ({ position }) => position }],
};

/** The items of a batch in the order in which they were given, or those with the most different names first. */
export function itemList(
  { merchant_id, mode, id }: Pick<BatchRow, 'merchant_id' | 'mode' | 'id'>,
  { isValid, hasWarnings, isDuplicate, problem, cause, outcome, byMatch = false }: ItemFilter = {},
): List<ListedItemRow> {
  const values: string[] = [merchant_id, mode, id];
  const parameter = (value: string) => `$${values.push(value)}`;
  const where = ['i.merchant_id = $1', 'i.mode = $2', 'i.batch_id = $3'];
  if (isValid !== undefined) where.push(isValid ? 'i.is_valid' : 'not i.is_valid');
  if (hasWarnings !== undefined) {
    where.push(
      hasWarnings
        ? '(i.item_warnings is not null or i.repeats is not null)'
        : 'i.item_warnings is null and i.repeats is null',
    );
  }
  if (isDuplicate !== undefined) where.push(`i.repeats is ${isDuplicate ? 'not ' : ''}null`);
  if (problem !== undefined) {
    where.push(
      'i.validated_at is not null',
      hasProblem(parameter(problem), cause === undefined ? 'null' : parameter(cause)),
    );
  }
  // The outcome is one of our own words, so it may stand in the text.
  if (outcome !== undefined) where.push(`${OUTCOME} = '${outcome}'`);
  const filters = [isValid, hasWarnings, isDuplicate, problem, cause, outcome];
  return {
    name: 'batch-items',
    of: [merchant_id, mode, id, ...filters, byMatch],
    order: byMatch ? BY_MATCH : AS_GIVEN,
    columns: LISTED,
    from: ITEMS_WITH_PAYOUT,
    ...(outcome === undefined && { countFrom: 'batch_items i' }),
    where,
    values,
    // The batch's row has these counts.
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

/** Items that are not validated yet, in their order, after a position. */
export const listItemsToValidate = statement<ItemRow>(
  'list-batch-items-to-validate',
  `select * from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and validated_at is null and position > $4
    order by position limit $5`,
);

/**
 * How far a pass over the items has come. Only the worker with the lease may write it, and only while the batch is
 * being validated.
 */
export const updateBatchLook = statement<{ id: string }>(
  'update-batch-look',
  `update batches set due_at = $5, looked_up_to = $6, silent_since = $7
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and status = 'VALIDATING'
    returning id`,
);

export type ItemVerdict = Pick<
  ItemRow,
  | 'merchant_id'
  | 'mode'
  | 'id'
  | 'batch_id'
  | 'position'
  | 'account_name'
  | 'bank_name'
  | 'match_score'
  | 'is_valid'
  | 'item_errors'
  | 'item_warnings'
  | 'directory_bank_code'
  | 'validated_at'
>;

const VERDICT = itemColumns(
  ...(['account_name', 'bank_name', 'match_score', 'is_valid', 'item_errors', 'item_warnings'] as const),
  ...(['directory_bank_code', 'validated_at'] as const),
);

/**
 * The worker's results. An item that was corrected meanwhile was validated then, and keeps that. By id and by position,
 * so that each index leads to one row: a plan that was made while the table was small stays good.
 */
export const updateItemsValidated = setStatement<ItemVerdict>(
  'update-batch-items-validated',
  { ...itemColumns('merchant_id', 'mode', 'id', 'batch_id', 'position'), ...VERDICT },
  `with looked_at as (
     update batch_items i
        set ${settingOf(VERDICT)}
       from :rows
      where i.merchant_id = rows.merchant_id and i.mode = rows.mode and i.id = rows.id
        and i.batch_id = rows.batch_id and i.position = rows.position and i.validated_at is null
     returning ${countedColumns('i')}
   ), changed as (
     select looked_at.*, 1 as n from looked_at
   )
   ${COUNT_CHANGED}`,
);

/** A row as it was given: not validated, and no bank was asked. */
export type GivenItemRow = Pick<
  ItemRow,
  | 'merchant_id'
  | 'mode'
  | 'id'
  | 'batch_id'
  | 'position'
  | 'amount_minor'
  | 'given_amount'
  | 'bank_code'
  | 'account_number'
  | 'narration'
  | 'phone_number'
  | 'given_name'
  | 'item_warnings'
  | 'created_at'
>;

const GIVEN = {
  ...itemColumns('merchant_id', 'mode', 'id', 'batch_id', 'position', 'amount_minor', 'given_amount', 'bank_code'),
  ...itemColumns('account_number', 'narration', 'phone_number', 'given_name', 'created_at'),
  item_warnings: 'json',
} as const;
const GIVEN_NAMES = Object.keys(GIVEN);

export const insertGivenItems = setStatement<GivenItemRow>(
  'insert-given-batch-items',
  GIVEN,
  `insert into batch_items (${GIVEN_NAMES.join(', ')}, is_valid)
   select ${GIVEN_NAMES.map((name) => `rows.${name}`).join(', ')}, false
     from :rows`,
);

/** By their positions: a search for the first that are left would skip all removed ones each time. */
export const deleteItemsBetween = statement(
  'delete-batch-items-between',
  `delete from batch_items
    where merchant_id = $1 and mode = $2 and batch_id = $3 and position > $4 and position <= $5`,
);

export interface OutcomeRow {
  outcome: ItemOutcome;
  items: number;
  /** The sum of all of them in kobo, at most what a bigint holds; charges only of those that have become payouts. */
  amount_minor: bigint;
  charges_minor: bigint;
}

/** The outcomes of the items of a dispatched batch so far. */
export const countOutcomes = statement<OutcomeRow>(
  'count-batch-outcomes',
  `select ${OUTCOME} as outcome, count(*)::int as items, ${boundedSum('sum(i.amount_minor)')} as amount_minor,
          coalesce(sum(p.fee_minor + p.vat_minor + p.stamp_duty_minor), 0)::bigint as charges_minor
     from ${ITEMS_WITH_PAYOUT}
     left join lateral (
       select fee_minor, vat_minor, stamp_duty_minor from payouts
        where merchant_id = $1 and mode = $2 and id = i.id
       offset 0
     ) p on true
    where i.merchant_id = $1 and i.mode = $2 and i.batch_id = $3
    group by 1`,
);
