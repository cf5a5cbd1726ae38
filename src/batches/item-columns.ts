import type { ColumnType } from '../platform/db/statement.ts';

/** The columns of `batch_items` with their types, for every statement that writes some of them or all. */
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
 * A sum of amounts as far as a bigint holds it: nothing bounds what the rows that cannot be paid say, above zero and below.
 * Beyond what JSON says to the kobo, which is less, it is not shown.
 */
export const boundedSum = (amounts: string): string =>
  `greatest(least(${amounts}, 9223372036854775807), -9223372036854775808)::bigint`;

type ItemColumn = keyof typeof ITEM_COLUMNS;

/** Some of them, in the order in which they are named. */
export function itemColumns<Column extends ItemColumn>(...names: readonly Column[]): Pick<typeof ITEM_COLUMNS, Column> {
  return Object.fromEntries(names.map((name) => [name, ITEM_COLUMNS[name]])) as Pick<typeof ITEM_COLUMNS, Column>;
}

/** `a = rows.a, b = rows.b`: what an update of these columns sets. */
export const settingOf = (columns: Readonly<Record<string, ColumnType>>): string =>
  Object.keys(columns)
    .map((name) => `${name} = rows.${name}`)
    .join(', ');
