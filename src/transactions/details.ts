import type { CsvColumns } from '../platform/spreadsheet/write-csv.ts';
import type { TransactionCategory, TransactionRow } from './queries.ts';
import { transactionView } from './views.ts';

/** What a module above this one keeps of its transactions in a table of its own, by the same key. */
export interface TransactionDetails<Row = Record<string, unknown>> {
  category: TransactionCategory;
  table: string;
  /** None has the name of a column of `transactions`. */
  columns: readonly (keyof Row & string)[];
  /** The column that says by which rail it went. */
  railColumn: keyof Row & string;
  /** Its columns in a file, behind those of every transaction; empty where a transaction has none. */
  csvColumns: CsvColumns<Row>;
  /** Its fields on the wire, behind those that every transaction has. */
  fieldsOf(row: Row): Record<string, unknown>;
}

/** A transaction with the columns of its details; they are null where it has none. */
export type DetailedRow = TransactionRow & Record<string, unknown>;

/** A transaction as every answer and event about it has it. */
export function detailedView(row: DetailedRow, { category, fieldsOf }: TransactionDetails) {
  const view = transactionView(row);
  return row.category === category ? { ...view, ...fieldsOf(row) } : view;
}
