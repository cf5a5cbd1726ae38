import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { createProblems, kindOf } from '../platform/problem.ts';

const quotedAll = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');
const naira = (minor: string): string => formatMoney(BigInt(minor), DEFAULT_CURRENCY);

type Rows = { rows: number };

/** What may be wrong with a list as a whole, or was noticed about it. Sums are kobo in digits. */
const LIST_PROBLEMS = {
  COLUMN_MISSING: kindOf<{ column: string }>(null, ({ column }) => `There is no column ${column}.`),
  COLUMN_TWICE: kindOf<{ column: string; names: readonly string[] }>(
    null,
    ({ column, names }) =>
      `${names.length === 2 ? 'Two' : names.length} columns would ${names.length === 2 ? 'both' : 'all'} be the ${column}: ` +
      `${names.join(' and ')}. Say which one it is, or remove or rename the others.`,
  ),
  COLUMN_UNSURE: kindOf<{ column: string; names: readonly string[] }>(
    null,
    ({ column, names }) => `It is not certain that ${names.join(' and ')} is the ${column}. Say which column it is.`,
  ),
  HEADER_NOT_FOUND: kindOf<Rows>(
    null,
    ({ rows }) => `None of the first ${rows} rows names the columns, such as Account Number, Bank and Amount.`,
  ),
  HEADER_ROW_NOT_FOUND: kindOf<{ row: number; rows: number }>(
    'headerRow',
    ({ row, rows }) =>
      `Row ${row} cannot name the columns: it is empty, or not among the first ${rows} rows with something in them.`,
  ),
  MAPPING_COLUMN_UNKNOWN: kindOf<{ given: string }>(
    'mapping',
    ({ given }) => `There is no column "${given}". Name it as the header does, or by its letter.`,
  ),
  MAPPING_COLUMN_UNCLEAR: kindOf<{ given: string }>(
    'mapping',
    ({ given }) => `More than one column could be "${given}". Name it by its letter.`,
  ),
  SHEET_NOT_FOUND: kindOf<{ sheet: string; names: readonly string[] }>(
    'sheet',
    ({ sheet, names }) => `There is no sheet "${sheet}". The workbook has: ${quotedAll(names)}.`,
  ),
  SHEET_UNCLEAR: kindOf<{ names: readonly string[] }>(
    'sheet',
    ({ names }) => `Several sheets could be the list: ${quotedAll(names)}. Say which one it is.`,
  ),
  COLUMNS_NOT_USED: kindOf<{ names: readonly string[] }>(
    null,
    ({ names }) => `${names.length === 1 ? 'This column was' : 'These columns were'} not used: ${quotedAll(names)}.`,
  ),
  CONTROL_COUNT_DIFFERS: kindOf<{ stated: number; found: number }>(
    'controlCount',
    ({ stated, found }) => `The control count says ${stated}, the rows come to ${found}. Nothing was kept of them.`,
  ),
  CONTROL_TOTAL_DIFFERS: kindOf<{ statedMinor: string; foundMinor: string }>(
    'controlTotal',
    ({ statedMinor, foundMinor }) =>
      `The control total says ${naira(statedMinor)}, the rows come to ${naira(foundMinor)}. Nothing was kept of them.`,
  ),
  FILE_NOT_UTF8: kindOf('file', () => 'The file is not UTF-8. It was read as Windows-1252; check names with accents.'),
  HIDDEN_ROWS_READ: kindOf<Rows>('file', ({ rows }) => `${rows} hidden rows of the sheet were read too.`),
  OTHER_SHEETS_NOT_READ: kindOf<{ sheet: string }>(
    'file',
    ({ sheet }) => `Only the sheet "${sheet}" was read; the workbook has others.`,
  ),
  EMPTY_ROWS_SKIPPED: kindOf<Rows>('file', ({ rows }) =>
    rows === 1 ? '1 empty row was skipped.' : `${rows} empty rows were skipped.`,
  ),
  FORMULAS_READ: kindOf<{ cells: number }>('file', ({ cells }) =>
    cells === 1
      ? '1 cell has a formula; its stored result was read.'
      : `${cells} cells have formulas; their stored results were read.`,
  ),
  ROWS_LEFT_OUT: kindOf<Rows & { names: readonly string[] }>(
    'file',
    ({ rows, names }) =>
      `${rows === 1 ? '1 row was' : `${rows} rows were`} left out, because ${rows === 1 ? 'it is no payment' : 'they are no payments'}: ` +
      `${names.join('; ')}${rows > names.length ? '; and others' : ''}.`,
  ),
  NO_PAYMENTS: kindOf<Rows>(
    'file',
    ({ rows }) =>
      `No row is a payment: ${rows === 1 ? 'the only row beside the header was' : `all ${rows} rows beside the header were`} left out.`,
  ),
  DEFAULT_USED: kindOf<Rows & { column: string }>(
    'defaults',
    ({ column, rows }) =>
      `${rows === 1 ? '1 row names' : `${rows} rows name`} no ${column}; the default was taken for ${rows === 1 ? 'it' : 'them'}.`,
  ),
  ROWS_WITH_WARNINGS: kindOf<Rows>(
    null,
    ({ rows }) =>
      `${rows === 1 ? '1 row was corrected or looks' : `${rows} rows were corrected or look`} odd; see the warnings of the items.`,
  ),
};

export const listProblems = createProblems(LIST_PROBLEMS);
export const listProblem = listProblems.problem;
