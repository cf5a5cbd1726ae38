import { Type } from 'typebox';
import { invalidField } from '../errors.ts';
import type { CsvColumn } from './write-csv.ts';

/** The columns that a file may have, by the word that a request names each with, in the order of a file that has all. */
export type CsvColumns<Row> = Readonly<Record<string, CsvColumn<Row>>>;

/** For a query string: which columns a file has, in this order. Read it with `chosenColumns`. */
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
  if (new Set(names).size < names.length) throw invalidField('columns', 'must name each column once.');
  return names.map((name) => columns[name] as CsvColumn<Row>);
}
