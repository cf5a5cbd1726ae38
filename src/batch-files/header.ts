import { columnName, columnOf, type SheetRow } from '../platform/spreadsheet/cells.ts';
import { type Field, meaningOf, plainName } from './column-names.ts';
import { HEADER_WITHIN, type ReadingOptions } from './upload-options.ts';

/** The row that names the columns. */
export interface Header {
  /** As the spreadsheet counts; 0 for a list without one. */
  row: number;
  /** What each column is called, up to the last that has a name. */
  labels: readonly string[];
}

export type HeaderWish = Pick<ReadingOptions, 'headerRow' | 'mapping'>;

/** Fewer names than these may stand in any text. */
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
  return rows
    .slice(0, HEADER_WITHIN)
    .map(({ row, cells }, at) => ({ row, labels: labelsOf(rows[at - 1], row, cells) }));
}

/** A name that is merged over two rows stands in the upper one: it is taken where the lower has none. */
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

/** Whether a list to be paid stands below: somebody's account, and how much. */
export function namesPayments({ labels }: Header): boolean {
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

/** As a person finds it: its name and its letter. */
export function shownColumn(labels: readonly string[], column: number): string {
  const label = labels[column] ?? '';
  return label === '' ? `column ${columnName(column)}` : `"${label}" (column ${columnName(column)})`;
}
