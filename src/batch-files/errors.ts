import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { AppError } from '../platform/errors.ts';
import { createProblems, kindOf, type ProblemData, shortened } from '../platform/problem.ts';

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
  HEADER_CHANGES: kindOf<{ row: number }>(
    null,
    ({ row }) =>
      `Row ${row} names the columns anew, and not as the header does. Send what stands below it as a list of its own.`,
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
  FILE_NOT_UTF8: kindOf(
    'file',
    () => 'The text of the file is of an older kind (Windows-1252, not UTF-8). Check names with accents.',
  ),
  HIDDEN_ROWS_READ: kindOf<Rows>('file', ({ rows }) =>
    rows === 1 ? '1 hidden row of the sheet was read too.' : `${rows} hidden rows of the sheet were read too.`,
  ),
  HIDDEN_COLUMNS_READ: kindOf<{ names: readonly string[] }>('file', ({ names }) =>
    names.length === 1
      ? `A hidden column of the sheet was read too: ${names.join()}.`
      : `${names.length} hidden columns of the sheet were read too: ${names.join(', ')}.`,
  ),
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
      `${rows === 1 ? '1 row names' : `${rows} rows name`} no ${column === 'bankCode' ? 'bank' : column}; the default was taken for ${rows === 1 ? 'it' : 'them'}.`,
  ),
  ROWS_WITH_WARNINGS: kindOf<Rows>(
    null,
    ({ rows }) =>
      `${rows === 1 ? '1 row was corrected or looks' : `${rows} rows were corrected or look`} odd. Each says why.`,
  ),
};

export const listProblems = createProblems(LIST_PROBLEMS);
export const listProblem = listProblems.problem;

const MAX_NAMES = 20;

/** The sender has to say which sheet is the list. */
export function sheetUnclear(problem: ProblemData): AppError {
  const shown = listProblems.shown(problem);
  return new AppError('invalid', 'FILE_SHEET_UNCLEAR', shown.message, { problems: [shown] });
}

/**
 * Columns are missing, or the sender has to say what they are. It lists all of them.
 * @param found what stands where the header is, or would be.
 */
export function columnsUnclear(problems: readonly ProblemData[], found: readonly string[]): AppError {
  const missing = problems.flatMap(({ code, params }) => (code === 'COLUMN_MISSING' ? [String(params['column'])] : []));
  const others = problems.filter(({ code }) => code !== 'COLUMN_MISSING');
  const isWrong = missing.length > 0 || others.some(({ code }) => code.startsWith('HEADER'));
  const listed = found.slice(0, MAX_NAMES).map((name) => `"${shortened(name)}"`);
  const sentences = [
    ...others.map(listProblems.sentenceOf),
    ...(missing.length === 0 ? [] : [`The header must name the columns. Missing: ${missing.join(', ')}.`]),
    ...(isWrong ? [`Found: ${listed.join(', ')}${found.length > MAX_NAMES ? ' and more' : ''}.`] : []),
  ];
  const shown = { problems: problems.map(listProblems.shown) };
  const message = sentences.join(' ');
  return isWrong
    ? new AppError('invalid', 'FILE_HEADER_WRONG', message, shown)
    : new AppError('invalid', 'FILE_MAPPING_NEEDED', message, shown);
}

/** @param leftOut rows that are no payments */
export function fileWithoutRows(leftOut: number): AppError {
  if (leftOut === 0) return new AppError('invalid', 'FILE_EMPTY', 'The file has a header and no row below it.');
  const shown = listProblems.shown(listProblem('NO_PAYMENTS', { rows: leftOut }));
  return new AppError('invalid', 'FILE_EMPTY', shown.message, { problems: [shown] });
}

export const fileMissing = () =>
  new AppError('invalid', 'FILE_MISSING', 'The upload has no file. Send it as the field "file" of a multipart form.');

export const filesTooMany = () =>
  new AppError('invalid', 'FILES_TOO_MANY', 'The upload has more than one file. Send one file for one bulk payout.');

export const uploadBroken = () =>
  new AppError('invalid', 'UPLOAD_BROKEN', 'The upload is not a complete multipart form. Nothing was kept of it.');

/** The file is not the one that its sender means. Nothing of it is kept. */
export function controlMismatch(problems: readonly ProblemData[]): AppError {
  const shown = problems.map(listProblems.shown);
  const message = shown.map((problem) => problem.message).join(' ');
  return new AppError('refused', 'BATCH_CONTROL_MISMATCH', message, { problems: shown });
}

/** The upload was abandoned while its rows were still coming in; the sender has the answer or is gone. */
export const uploadAbandoned = () =>
  new AppError(
    'conflict',
    'UPLOAD_ABANDONED',
    'The upload took more than an hour and was abandoned. Nothing was kept of it; send it again, with a new key.',
  );

/** @param retry reference of the newest list that has what was not paid. */
export const nothingToRetry = (retry: string | undefined) =>
  new AppError(
    'conflict',
    'BATCH_NOTHING_TO_RETRY',
    retry === undefined
      ? 'No payout of the bulk payout has failed or was returned for certain.'
      : `What failed or was returned is in another bulk payout already: ${retry}.`,
  );

/** Another person made such a list at the same moment. A client gets this only after several attempts. */
export const retriedMeanwhile = () =>
  new AppError(
    'conflict',
    'BATCH_RETRIED_MEANWHILE',
    'Somebody else made a list of the same payouts at the same moment. Please try again.',
    { retryable: true },
  );

/** Only a batch that was paid can be paid again. */
export const batchNotPaid = () =>
  new AppError(
    'conflict',
    'BATCH_NOT_PAID',
    'Only a bulk payout that has been paid, whole or in part, can be repeated. This one has not.',
  );
