import { stringify } from 'csv-stringify/sync';

/** Spreadsheets take a text file for one of their country's encoding unless it begins so. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * A column: what it is called, and what it shows of a row. `DIGITS` are no number: a spreadsheet would take their leading
 * zeros, or turn them into a power of ten.
 */
export type CsvColumn<Row> = readonly [name: string, show: (row: Row) => string, kind?: 'DIGITS'];

/** The beginning of a file, also of one without rows. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return (
    BYTE_ORDER_MARK + stringify([columns.map(([name]) => name)], { record_delimiter: 'windows', escape_formulas: true })
  );
}

/** CSV in which nothing is run: what would be a formula has an apostrophe before it. Ours only say that digits are text. */
export function csvLines<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return stringify(
    rows.map((row) => columns.map(([, show]) => show(row))),
    {
      record_delimiter: 'windows',
      escape_formulas: true,
      cast: {
        string: (value, { index }) =>
          columns[index]?.[2] === 'DIGITS' && /^\d+$/.test(value)
            ? { value: `="${value}"`, escape_formulas: false }
            : value,
      },
    },
  );
}
