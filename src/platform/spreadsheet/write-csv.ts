import { stringify } from 'csv-stringify/sync';
import { Type } from 'typebox';
import { invalidField } from '../errors.ts';
import { BYTE_ORDER_MARK } from '../text.ts';

/**
 * A column: its name, and its text for a row. `DIGITS` are no number: a spreadsheet would remove their leading zeros,
 * or turn them into a power of ten.
 */
export type CsvColumn<Row> = readonly [name: string, show: (row: Row) => string, kind?: 'DIGITS'];

/**
 * An amount below zero begins like a formula, and is none: with an apostrophe before it, a spreadsheet would not add it
 * up.
 */
const NEGATIVE = /^-\d+(?:\.\d+)?$/;

/**
 * A spreadsheet of a country that separates by semicolons begins a cell after each, also in a file separated by commas;
 * and a row after each line end, since a quotation mark after a comma means nothing to it. Spaces before a formula may be
 * left out by what reads it. A spreadsheet reads the wide signs of East Asian keyboards as the plain ones.
 */
const BEGINS_CELL = /(?:[;\r\n][^\S\r\n]*|^\s+)(?="*[=+\-@\uff0b\uff0d\uff1d\uff20])/g;
const inertText = (value: string): string => value.replaceAll(BEGINS_CELL, "$&'");

/** For `stringify`: a text that would be a formula has an apostrophe before it, and a number is left as it is. */
export const INERT = {
  escape_formulas: true,
  // The library quotes only the line end that it writes itself, while readers end a row at any line end.
  quoted_match: /[\r\n]/,
  cast: { string: (value: string) => (NEGATIVE.test(value) ? { value, escape_formulas: false } : inertText(value)) },
} as const;

/** The beginning of a file, also of one without rows. Names of columns may be a merchant's: they are inert too. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return BYTE_ORDER_MARK + stringify([columns.map(([name]) => name)], { record_delimiter: 'windows', ...INERT });
}

/**
 * CSV in which nothing is run: a text that would be a formula has an apostrophe before it. Our own formulas only say
 * that digits are text.
 */
export function csvLines<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return stringify(
    rows.map((row) => columns.map(([, show]) => show(row))),
    {
      record_delimiter: 'windows',
      ...INERT,
      cast: {
        string: (value, { index }) =>
          columns[index]?.[2] === 'DIGITS' && /^\d+$/.test(value)
            ? { value: `="${value}"`, escape_formulas: false }
            : INERT.cast.string(value),
      },
    },
  );
}

/** The columns that a file may have, by the word that a request names each with, in the order of a file with all. */
export type CsvColumns<Row> = Readonly<Record<string, CsvColumn<Row>>>;

/** For a query string: the columns of a file, in this order. Read it with `chosenColumns`. */
export function ColumnsText(columns: CsvColumns<never>) {
  const words = Object.keys(columns);
  return Type.String({
    pattern: `^(?:${words.join('|')})(?:,(?:${words.join('|')})){0,${words.length - 1}}$`,
    description: `The columns of the file in their order, each once, with commas between them; all where left out: ${words.join(', ')}.`,
    examples: [words.slice(0, 3).join(',')],
    'x-hint': 'must be names of columns, with commas between them',
  });
}

/** @throws AppError `VALIDATION_FAILED` where one is named twice */
export function chosenColumns<Row>(columns: CsvColumns<Row>, text: string | undefined): CsvColumn<Row>[] {
  const names = text?.split(',') ?? Object.keys(columns);
  if (new Set(names).size < names.length) throw invalidField('columns', 'must name each column once');
  return names.map((name) => columns[name] as CsvColumn<Row>);
}
