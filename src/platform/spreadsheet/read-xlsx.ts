import { checkedRow, columnName, columnOf, numberText, type SheetNotes, type SheetRow } from './cells.ts';
import {
  cellTooLong,
  errorCellRefused,
  fileDamaged,
  formulaRefused,
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_SHEET_ROWS,
  sheetTooTall,
  tooManyColumns,
} from './errors.ts';
import { openWorkbook, openZip } from './workbook.ts';
import { parseXml, type TextPool, type XmlHandler } from './xml.ts';

/**
 * The rows of the first sheet of a workbook that can be seen and has any. Formulas and errors are refused by the name of
 * their cell: what is paid has to stand in the file.
 *
 * @throws AppError for a file that cannot be read with certainty.
 */
export async function* readXlsx(fd: number, notes: SheetNotes): AsyncGenerator<SheetRow> {
  const zip = await openZip(fd);
  const { sheets, hidden, texts } = await openWorkbook(zip);
  for (const [at, { name, part }] of sheets.entries()) {
    const sheet = createSheet(texts);
    let some = false;
    for await (const _ of parseXml(zip.read(part), sheet.handler)) {
      for (const row of sheet.taken()) {
        some = true;
        yield row;
      }
    }
    if (!some) continue;
    notes.emptyRows = sheet.emptyRows();
    if (sheet.hiddenRows() > 0) notes.notes.push({ kind: 'HIDDEN_ROWS', rows: sheet.hiddenRows() });
    const others = sheets.length - 1 - at + hidden;
    if (others > 0) notes.notes.push({ kind: 'OTHER_SHEETS', sheet: name });
    return;
  }
}

interface CellState {
  column: number;
  type: string;
  text: string;
}

/** Turns the mark-up of a worksheet into rows. */
function createSheet(texts: TextPool) {
  let rows: SheetRow[] = [];
  let row = 0;
  let filled = 0;
  let hidden = 0;
  let cells: string[] = [];
  let cell: CellState | undefined;
  let column = -1;
  let collecting = false;
  let aids = 0;
  const cellName = () => `${columnName(column)}${row}`;

  const handler: XmlHandler = {
    open(name, attribute) {
      collecting = false;
      if (name === 'row') {
        row = nextRow(attribute('r'), row);
        if (attribute('hidden') === '1' || attribute('hidden') === 'true') hidden += 1;
        cells = [];
        column = -1;
      } else if (name === 'c') {
        column = nextColumn(attribute('r'), column);
        cell = { column, type: attribute('t') ?? 'n', text: '' };
      } else if (name === 'f' && cell !== undefined) {
        throw formulaRefused(cellName());
      } else if (name === 'rPh') {
        aids += 1;
      } else {
        collecting = cell !== undefined && aids === 0 && (name === 'v' || name === 't');
      }
    },
    text(text) {
      if (!collecting || cell === undefined) return;
      cell.text += text;
      if (cell.text.length > MAX_CELL_CHARACTERS) throw cellTooLong(cellName());
    },
    close(name) {
      collecting = false;
      if (name === 'rPh') aids -= 1;
      if (name === 'c' && cell !== undefined) {
        const text = cellText(cell, cellName(), texts);
        if (text !== '') {
          if (cell.column >= MAX_COLUMNS) throw tooManyColumns(row);
          cells[cell.column] = text;
        }
        cell = undefined;
      }
      if (name === 'row') {
        const checked = checkedRow(row, Array.from(cells));
        if (checked.cells.length === 0) return;
        filled += 1;
        rows.push(checked);
      }
    },
  };
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
    /** Between those that have something in them: what is below the last does not count. */
    emptyRows: () => last - filled,
    hiddenRows: () => hidden,
  };
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

/** As a person sees the cell. */
function cellText({ type, text }: CellState, name: string, texts: TextPool): string {
  switch (type) {
    case 's': {
      if (text === '') return '';
      const shared = texts.get(Number(text));
      if (shared === undefined) throw fileDamaged(`Cell ${name} refers to a text that the workbook does not have.`);
      return shared;
    }
    case 'e':
      throw errorCellRefused(name, text);
    case 'b':
      if (text === '') return '';
      return text === '1' ? 'TRUE' : 'FALSE';
    case 'n': {
      if (text.trim() === '') return '';
      const number = numberText(text.trim());
      if (number === undefined) throw fileDamaged(`Cell ${name} holds a number that cannot be read.`);
      return number;
    }
    default:
      // Text that stands in the cell itself, and dates as text.
      return text;
  }
}
