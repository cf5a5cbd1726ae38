import type { ColumnType } from '../platform/db/statement.ts';

/** The columns of `batch_items` with their types, for every statement that writes some or all of them. */
export const ITEM_COLUMNS = {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  batch_id: 'uuid',
  position: 'integer',
  amount_minor: 'bigint',
  given_amount: 'text',
  bank_code: 'text',
  account_number: 'text',
  narration: 'text',
  phone_number: 'text',
  given_name: 'text',
  account_name: 'text',
  bank_name: 'text',
  match_score: 'integer',
  is_valid: 'boolean',
  item_errors: 'text',
  item_warnings: 'text',
  directory_bank_code: 'text',
  repeats: 'text',
  validated_at: 'timestamptz',
  created_at: 'timestamptz',
  accepted: 'text',
  origin_item_id: 'uuid',
} as const satisfies Record<string, ColumnType>;

/**
 * A sum of amounts, limited to what a bigint holds: rows that cannot be paid may have any amounts, above and below
 * zero. Sums that exceed what JSON can say to the kobo, which is less, are not shown.
 */
export const boundedSum = (amounts: string): string =>
  `greatest(least(${amounts}, 9223372036854775807), -9223372036854775808)::bigint`;

type ItemColumn = keyof typeof ITEM_COLUMNS;

/** Some of the columns, in the order in which they are named. */
export function itemColumns<Column extends ItemColumn>(...names: readonly Column[]): Pick<typeof ITEM_COLUMNS, Column> {
  return Object.fromEntries(names.map((name) => [name, ITEM_COLUMNS[name]])) as Pick<typeof ITEM_COLUMNS, Column>;
}

/** `a = rows.a, b = rows.b`: the assignments of an update of these columns. */
export const settingOf = (columns: Readonly<Record<string, ColumnType>>): string =>
  Object.keys(columns)
    .map((name) => `${name} = rows.${name}`)
    .join(', ');
