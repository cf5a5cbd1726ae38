import { AppError } from '../errors.ts';
import { shortened } from '../problem.ts';
import { type CellFormat, isoDateText } from './cell-formats.ts';
import {
  type CellFault,
  checkedRow,
  columnName,
  columnOf,
  numberText,
  type SheetHead,
  type SheetNotes,
  type SheetRow,
  type Sheets,
} from './cells.ts';
import {
  cellTooLong,
  fileDamaged,
  fileTooComplex,
  HEAD_ROWS,
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_HEAD_BYTES,
  MAX_HEADS_CHARACTERS,
  MAX_SHEET_ROWS,
  sheetTooTall,
  tooManyColumns,
} from './errors.ts';
import { createTextRuns } from './text-runs.ts';
import { openWorkbook, openZip, type Zip } from './workbook.ts';
import { parseXml, type TextPool, type XmlHandler } from './xml.ts';

/**
 * The sheets of a workbook that can be seen. A cell that a formula makes has its stored result; one that shows an error, is
 * struck out, or whose result is not stored, is a fault of its row.
 *
 * @throws AppError for a file that cannot be read with certainty.
 */
export async function openXlsx(fd: number, notes: SheetNotes): Promise<Sheets> {
  const zip = await openZip(fd);
  const { sheets, hidden, ...shared } = await openWorkbook(zip);
  const heads: SheetHead[] = [];
  let characters = 0;
  for (const { name, part } of sheets) {
    const head = await headOf(zip, part, shared);
    for (const { cells } of head) for (const cell of cells) characters += cell.length;
    if (characters > MAX_HEADS_CHARACTERS)
      throw fileTooComplex('The sheets of the workbook hold more text than lists would.');
    heads.push({ name, rows: head });
  }
  async function* rows(at: number): AsyncGenerator<SheetRow> {
    const { name, part } = sheets[at] as { name: string; part: string };
    const sheet = createSheet(shared);
    for await (const _ of parseXml(zip.read(part), sheet.handler)) yield* sheet.taken();
    notes.emptyRows = sheet.emptyRows();
    if (sheet.hiddenRows() > 0) notes.notes.push({ kind: 'HIDDEN_ROWS', rows: sheet.hiddenRows() });
    const columns = sheet.hiddenColumns();
    if (columns.length > 0) notes.notes.push({ kind: 'HIDDEN_COLUMNS', columns });
    const others = heads.filter((head, other) => other !== at && head.rows.length > 0).length + hidden;
    if (others > 0) notes.notes.push({ kind: 'OTHER_SHEETS', sheet: name });
  }
  return { heads, rows };
}

/** An error in a sheet is thrown when the sheet is chosen: it may not be. */
async function headOf(zip: Zip, part: string, shared: Shared): Promise<SheetRow[]> {
  const sheet = createSheet(shared);
  const rows: SheetRow[] = [];
  try {
    for await (const _ of parseXml(zip.readHead(part, MAX_HEAD_BYTES), sheet.handler)) {
      rows.push(...sheet.taken());
      if (rows.length >= HEAD_ROWS) break;
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'FILE_TOO_COMPLEX') throw error;
    rows.push(...sheet.taken());
  }
  return rows.slice(0, HEAD_ROWS);
}

/** What the cells of all sheets refer to by number. */
type Shared = Pick<Awaited<ReturnType<typeof openWorkbook>>, 'texts' | 'formats' | 'isUncalculated'>;

interface CellState {
  column: number;
  type: string;
  format: CellFormat | undefined;
  isStruck: boolean;
  text: string;
  isFormula: boolean;
  /** The cell has content, if only an empty text. */
  hasValue: boolean;
}

/** Turns the mark-up of a worksheet into rows. */
function createSheet(shared: Shared) {
  let rows: SheetRow[] = [];
  let row = 0;
  let filled = 0;
  let hidden = false;
  let hiddenRows = 0;
  let cells: string[] = [];
  let formulas: number[] = [];
  let faults: CellFault[] = [];
  let cell: CellState | undefined;
  let column = -1;
  let collecting = false;
  let aids = 0;
  const runs = createTextRuns();
  const hiddenColumns = new Set<number>();
  const cellName = () => `${columnName(column)}${row}`;

  const handler: XmlHandler = {
    open(name, attribute) {
      collecting = false;
      runs.open(name, attribute);
      if (name === 'row') {
        row = nextRow(attribute('r'), row);
        hidden = attribute('hidden') === '1' || attribute('hidden') === 'true';
        cells = [];
        formulas = [];
        faults = [];
        column = -1;
      } else if (name === 'c') {
        column = nextColumn(attribute('r'), column);
        cell = newCell(column, attribute, shared);
      } else if (name === 'f' && cell !== undefined) {
        cell.isFormula = true;
      } else if (name === 'rPh') {
        aids += 1;
      } else if (name === 'col') {
        for (const one of hiddenIn(attribute)) hiddenColumns.add(one);
      } else {
        collecting = cell !== undefined && aids === 0 && (name === 'v' || name === 't');
        if (collecting && cell !== undefined) cell.hasValue = true;
      }
    },
    text(text) {
      if (!collecting || cell === undefined) return;
      cell.text += runs.before(cell.text, text) + text;
      if (cell.text.length > MAX_CELL_CHARACTERS) throw cellTooLong(cellName());
    },
    close(name) {
      if (collecting && cell !== undefined) cell.text += runs.close(name);
      collecting = false;
      if (name === 'rPh') aids -= 1;
      if (name === 'c' && cell !== undefined) {
        take(cell);
        cell = undefined;
      }
      if (name === 'row') {
        const checked = checkedRow(row, Array.from(cells));
        if (checked.cells.length === 0 && faults.length === 0) return;
        filled += 1;
        if (hidden) hiddenRows += 1;
        if (formulas.length > 0) checked.formulas = formulas;
        if (faults.length > 0) checked.faults = [...faults, ...(checked.faults ?? [])];
        rows.push(checked);
      }
    },
  };

  function take(read: CellState): void {
    const { text, fault } = seenIn(read, cellName(), shared);
    if (text === '' && fault === undefined) return;
    if (read.column >= MAX_COLUMNS) throw tooManyColumns(row);
    if (fault !== undefined) faults.push(fault);
    else cells[read.column] = text;
    if (read.isFormula) formulas.push(read.column);
  }
  let last = 0;
  return {
    handler,
    /** The rows that are finished, each once. */
    taken(): SheetRow[] {
      const done = rows;
      rows = [];
      last = done.at(-1)?.row ?? last;
      return done;
    },
    /** Between rows with content: rows below the last one do not count. */
    emptyRows: () => last - filled,
    /** Those with content. */
    hiddenRows: () => hiddenRows,
    hiddenColumns: () => [...hiddenColumns],
  };
}

/** The columns of a hidden range, as far as a list may have columns. */
function hiddenIn(attribute: (name: string) => string | undefined): number[] {
  if (attribute('hidden') !== '1' && attribute('hidden') !== 'true') return [];
  const [first, last] = [Number(attribute('min')), Math.min(Number(attribute('max')), MAX_COLUMNS)];
  return first >= 1 && first <= last ? Array.from({ length: last - first + 1 }, (_, at) => first - 1 + at) : [];
}

function newCell(
  column: number,
  attribute: (name: string) => string | undefined,
  { formats: { formats, struck } }: Shared,
): CellState {
  const looks = Number(attribute('s') ?? 0);
  const shown = { format: formats.get(looks), isStruck: struck.has(looks) };
  return { column, type: attribute('t') ?? 'n', ...shown, text: '', isFormula: false, hasValue: false };
}

function nextRow(reference: string | undefined, last: number): number {
  const row = reference === undefined ? last + 1 : Number(reference);
  if (!Number.isInteger(row) || row <= last) throw fileDamaged('The rows of the workbook are not in order.');
  if (row > MAX_SHEET_ROWS) throw sheetTooTall();
  return row;
}

function nextColumn(reference: string | undefined, last: number): number {
  const column = reference === undefined ? last + 1 : columnOf(reference);
  if (column === undefined || column <= last) throw fileDamaged('The cells of the workbook are not in order.');
  return column;
}

/** What a person sees for a number that is no date, in a cell that shows dates. */
const NO_ROOM = '#####';

/** A formula with an empty text as its result has a value; where there is no value, it was never calculated. */
function faultOf(
  { column, type, format, text, isFormula, hasValue }: CellState,
  isUncalculated: boolean,
): CellFault | undefined {
  if (type === 'e') return { column, kind: 'ERROR', text: shortened(text) };
  if (type === 'n' && format !== undefined && text.trim() !== '' && format.text(Number(text), text) === undefined) {
    return { column, kind: 'ERROR', text: NO_ROOM };
  }
  const isStored = isUncalculated ? false : type === 'str' ? hasValue : text.trim() !== '';
  return isFormula && !isStored ? { column, kind: 'NOT_CALCULATED', text: '' } : undefined;
}

/** What a person sees in a cell; a struck-out cell counts as empty. */
function seenIn(cell: CellState, name: string, { texts, isUncalculated }: Shared): { text: string; fault?: CellFault } {
  const fault = faultOf(cell, isUncalculated);
  if (fault !== undefined) return { text: '', fault };
  const text = cellText(cell, name, texts);
  if (!cell.isStruck || text.trim() === '') return { text };
  return { text: '', fault: { column: cell.column, kind: 'STRUCK_OUT', text: '' } };
}

function cellText({ type, format, text }: CellState, name: string, texts: TextPool): string {
  switch (type) {
    case 's': {
      if (text === '') return '';
      const shared = texts.get(Number(text));
      if (shared === undefined) throw fileDamaged(`Cell ${name} refers to a text that the workbook does not have.`);
      return unescaped(shared);
    }
    case 'b':
      if (text === '') return '';
      return text === '1' ? 'TRUE' : 'FALSE';
    case 'n': {
      if (text.trim() === '') return '';
      const number = numberText(text.trim());
      if (number === undefined) throw fileDamaged(`Cell ${name} holds a number that cannot be read.`);
      return format?.text(Number(number), number) ?? number;
    }
    case 'd':
      return isoDateText(text, format) ?? text;
    default:
      // Text in the cell itself.
      return unescaped(text);
  }
}

/** `_x000D_` is a line end: how a workbook writes characters that its XML must not contain. */
const ESCAPED = /_x([0-9a-f]{4})_/gi;

/** Halves of pairs, and characters that no text has, stay as they are written. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(ESCAPED, (written, digits: string) => {
    const unit = Number.parseInt(digits, 16);
    const isText = unit >= 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
    return isText && (unit < 0xd800 || unit > 0xdfff) ? String.fromCharCode(unit) : written;
  });
}
