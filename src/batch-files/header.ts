import { type ProblemData, shortened } from '../platform/problem.ts';
import { isNaira } from '../platform/spreadsheet/cell-formats.ts';
import { columnName, columnOf, type SheetHead, type SheetRow } from '../platform/spreadsheet/cells.ts';
import { type Field, meaningOf, plainName } from './column-names.ts';
import { listProblem } from './errors.ts';
import { HEADER_WITHIN, type ReadingOptions } from './upload-options.ts';

/** The row that names the columns. */
export interface Header {
  /** As the spreadsheet counts; 0 for a list without one. */
  row: number;
  /** The names of the columns, up to the last that has one. */
  labels: readonly string[];
  /** Of a CSV file: how many columns it has with those at its end that have no name. */
  width?: number;
}

type HeaderWish = Pick<ReadingOptions, 'headerRow' | 'mapping'>;

/** Any text may have fewer names than these. */
const MIN_NAMES = 2;

/**
 * The row that has the most names of columns among the first of a sheet, below titles and merged cells; undefined where no
 * row has two. Where the sender says which it is, that one.
 */
export function findHeader(rows: readonly SheetRow[], wish: HeaderWish): Header | undefined {
  if (wish.headerRow === 0) return { row: 0, labels: [] };
  const candidates = headersOf(rows);
  if (wish.headerRow !== undefined) return candidates.find(({ row }) => row === wish.headerRow);
  const given = new Set(Object.keys(wish.mapping ?? {}).map(plainName));
  const ranked = candidates
    .map((header) => ({ header, names: namesIn(header, given) }))
    .toSorted((a, b) => b.names - a.names);
  const [best] = ranked;
  return best !== undefined && best.names >= MIN_NAMES ? best.header : undefined;
}

/** The rows that could be a header, each with the names that it would give. */
export function headersOf(rows: readonly SheetRow[]): Header[] {
  return rows.slice(0, HEADER_WITHIN).map(({ row, cells, width }, at) => ({
    ...{ row, labels: labelsOf(rows[at - 1], row, cells) },
    ...(width === undefined ? {} : { width }),
  }));
}

/**
 * The names of the columns. A name that is merged over two rows stands in the upper one, and is taken where the lower
 * one has none.
 */
function labelsOf(above: SheetRow | undefined, row: number, cells: readonly string[]): string[] {
  const labels = Array.from(cells, (cell) => (cell ?? '').trim());
  if (above === undefined || above.row !== row - 1) return labels;
  const fields = new Set(labels.map((label) => meaningOf(label)?.field));
  for (const [column, cell] of above.cells.entries()) {
    const field = meaningOf(cell ?? '')?.field;
    if (field === undefined || fields.has(field) || (labels[column] ?? '') !== '') continue;
    while (labels.length < column) labels.push('');
    labels[column] = cell.trim();
    fields.add(field);
  }
  return labels;
}

/** How many of our fields a row names, and how many of the names that the sender uses. */
function namesIn({ labels }: Header, given: ReadonlySet<string>): number {
  const fields = new Set<Field | string>();
  for (const label of labels) {
    const plain = plainName(label);
    if (plain === '') continue;
    if (given.has(plain)) fields.add(`given ${plain}`);
    const meaning = meaningOf(label);
    if (meaning !== undefined) fields.add(meaning.field);
  }
  return fields.size;
}

/** Whether the rows below are payments: the header names an account and an amount. */
function namesPayments({ labels }: Header): boolean {
  const fields = new Set(labels.map((label) => meaningOf(label)?.field));
  return fields.has('accountNumber') && fields.has('amount');
}

/** The columns that a key of a mapping stands for: those of that name, or the one with that letter. */
export function columnsNamed(labels: readonly string[], key: string): number[] {
  const wanted = plainName(key);
  const named = [...labels.keys()].filter((column) => wanted !== '' && plainName(labels[column] ?? '') === wanted);
  if (named.length > 0) return named;
  const column = columnOf(`${key.trim().toUpperCase()}1`);
  return column === undefined ? [] : [column];
}

/** Names of the column with the currencies of the amounts. */
const OF_CURRENCIES: ReadonlySet<string> = new Set(
  ['currency', 'currency code', 'currency type', 'payment currency', 'transaction currency', 'ccy', 'curr'].map(
    plainName,
  ),
);

export const namesCurrency = (label: string): boolean => OF_CURRENCIES.has(plainName(label));

/** The currency that a row names in one of these columns, where it is another than naira. */
export function foreignCurrency({ cells }: SheetRow, columns: readonly number[]): string | undefined {
  for (const column of columns) {
    const currency = (cells[column] ?? '').trim();
    if (currency !== '' && !isNaira(currency)) return shortened(currency);
  }
  return undefined;
}

/** A column as a person finds it: its name and its letter. */
export function shownColumn(labels: readonly string[], column: number): string {
  const label = labels[column] ?? '';
  return label === '' ? `column ${columnName(column)}` : `"${label}" (column ${columnName(column)})`;
}

/** A sheet of the workbook, and whether it has a list to be paid. */
export interface SeenSheet {
  name: string;
  /** Its place among the visible sheets, from 1. */
  position: number;
  isRecognised: boolean;
}

/** `sheet` is its place among the heads, from 0. Undefined where the sender has to say which one. */
export interface SheetFound {
  sheets: SeenSheet[];
  sheet: number | undefined;
  problem: ProblemData | undefined;
}

/**
 * The sheet that the sender names, else the only one with a header that a list to be paid has; the first with rows where
 * none has one. @param isKnown whether a header is that of a file before.
 */
export function chooseSheet(
  heads: readonly SheetHead[],
  options: ReadingOptions,
  isKnown: (header: Header) => boolean,
): SheetFound {
  const wish: HeaderWish = { headerRow: options.headerRow, mapping: options.mapping };
  const sheets = heads.map(({ name, rows }, at) => ({
    name,
    position: at + 1,
    isRecognised: isRecognised(findHeader(rows, wish)) || headersOf(rows).some(isKnown),
  }));
  const names = sheets.filter((_, at) => (heads[at]?.rows.length ?? 0) > 0).map(({ name }) => name);
  if (options.sheet !== undefined) {
    const sheet = sheetNamed(sheets, options.sheet);
    if (sheet !== undefined) return { sheets, sheet, problem: undefined };
    return { sheets, sheet, problem: listProblem('SHEET_NOT_FOUND', { sheet: options.sheet, names }) };
  }
  const recognised = sheets.filter((sheet) => sheet.isRecognised);
  if (recognised.length > 1) {
    const problem = listProblem('SHEET_UNCLEAR', { names: recognised.map(({ name }) => name) });
    return { sheets, sheet: undefined, problem };
  }
  const first = Math.max(
    0,
    heads.findIndex(({ rows }) => rows.length > 0),
  );
  return { sheets, sheet: recognised[0] === undefined ? first : recognised[0].position - 1, problem: undefined };
}

const isRecognised = (header: Header | undefined): boolean => header !== undefined && namesPayments(header);

/** Finds a sheet by its name in any case, or else by its place from 1. */
function sheetNamed(sheets: readonly SeenSheet[], wanted: string): number | undefined {
  const plain = (name: string) => name.trim().toLowerCase();
  const named = sheets.findIndex(({ name }) => name === wanted);
  const alike = named >= 0 ? named : sheets.findIndex(({ name }) => plain(name) === plain(wanted));
  if (alike >= 0) return alike;
  const place = /^\d{1,3}$/.test(wanted.trim()) ? Number(wanted) - 1 : -1;
  return sheets[place] === undefined ? undefined : place;
}
