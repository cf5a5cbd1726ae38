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
      `Two columns would both be the ${column}: ${names.join(' and ')}. Remove or rename one of them.`,
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
  ROWS_WITH_WARNINGS: kindOf<Rows>(
    null,
    ({ rows }) =>
      `${rows === 1 ? '1 row was corrected or looks' : `${rows} rows were corrected or look`} odd; see the warnings of the items.`,
  ),
};

export const listProblems = createProblems(LIST_PROBLEMS);
export const listProblem = listProblems.problem;
