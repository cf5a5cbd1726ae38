import { cellTooLong, MAX_CELL_CHARACTERS, MAX_COLUMNS, tooManyColumns } from './errors.ts';

/** A row with content. Cells are texts as a person sees them, up to the last that is not empty. */
export interface SheetRow {
  /** As the spreadsheet counts: the first is 1, and empty rows count. */
  row: number;
  cells: string[];
  /** The columns of cells with a formula, from 0; `cells` has the stored result. Left out for most rows. */
  formulas?: number[];
  /** Cells without usable content; their text is empty. Left out for most rows. */
  faults?: CellFault[];
  /** For a CSV file: how many cells the row has with the empty ones at its end. Left out where there are none. */
  width?: number;
}

/**
 * A cell that shows an error, such as `#N/A`, a formula whose result is not stored in the file, or a struck-out cell.
 */
export interface CellFault {
  column: number;
  kind: 'ERROR' | 'NOT_CALCULATED' | 'STRUCK_OUT';
  /** The error; otherwise empty. */
  text: string;
}

/** A sheet with its first rows: enough to find out what it contains. */
export interface SheetHead {
  /** Empty for a CSV file, which has one sheet. */
  name: string;
  /** The first rows with content, at most `HEAD_ROWS`. */
  rows: SheetRow[];
}

/** The visible sheets of a file, in order, to be read one after the other. */
export interface Sheets {
  heads: readonly SheetHead[];
  /** The rows of one of them, from its first. Can be read once. */
  rows(sheet: number): AsyncGenerator<SheetRow>;
}

/** Facts about a file that was read to its end. */
export interface SheetNotes {
  /** Rows without content, between the others. */
  emptyRows: number;
  /** What the person who made the file may not expect. */
  notes: SheetNote[];
}

export type SheetNote =
  /** `NOT_UTF8`: it was read as Windows-1252. */
  | { kind: 'NOT_UTF8' }
  | { kind: 'HIDDEN_ROWS'; rows: number }
  /** Hidden columns, from 0, with or without content. */
  | { kind: 'HIDDEN_COLUMNS'; columns: number[] }
  | { kind: 'OTHER_SHEETS'; sheet: string };

/** `A` is 0. */
export function columnName(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${columnName(Math.floor(column / 26) - 1)}${last}`;
}

/** The column of a reference such as `C7`; undefined when it is none. */
export function columnOf(reference: string): number | undefined {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(reference)?.[1];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** What a spreadsheet writes for a cell that shows an error, also into a CSV file and where values alone are pasted. */
const ERROR_TEXT =
  /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA|#{2,})$/i;

/** Cuts empty cells off the end and checks the others against the limits; an error text is a fault. @throws AppError */
export function checkedRow(row: number, cells: readonly string[]): SheetRow {
  let length = cells.length;
  while (length > 0 && (cells[length - 1] ?? '').trim() === '') length -= 1;
  if (length > MAX_COLUMNS) throw tooManyColumns(row);
  const kept = new Array<string>(length);
  const faults: CellFault[] = [];
  for (let column = 0; column < length; column += 1) {
    const cell = cells[column] ?? '';
    if (cell.length > MAX_CELL_CHARACTERS) throw cellTooLong(`${columnName(column)}${row}`);
    const isError = cell.includes('#') && ERROR_TEXT.test(cell.trim());
    if (isError) faults.push({ column, kind: 'ERROR', text: cell.trim() });
    kept[column] = isError ? '' : cell;
  }
  return { row, cells: kept, ...(faults.length === 0 ? {} : { faults }) };
}

/** A workbook keeps 15 digits of a number. */
const SIGNIFICANT_DIGITS = 15;
/** Finer digits are the tail of a calculation: nothing that is listed in a sheet has more decimals. */
const DECIMALS = 6;

/**
 * The number of a workbook's cell as a person sees it: 1.5E4 is 15000 and 1500.0000000002 is 1500. Undefined when the
 * text is no number.
 */
export function numberText(stored: string): string | undefined {
  if (/^-?\d{1,15}$/.test(stored)) return stored;
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/.test(stored)) return undefined;
  const value = Number(Number(stored).toPrecision(SIGNIFICANT_DIGITS));
  if (!Number.isFinite(value)) return undefined;
  if (Math.abs(value) >= 1e15) return BigInt(value).toString();
  const [whole = '', decimals = ''] = value.toFixed(DECIMALS).split('.');
  const kept = decimals.replace(/0+$/, '');
  if (kept === '') return whole === '-0' ? '0' : whole;
  return `${whole}.${kept}`;
}
