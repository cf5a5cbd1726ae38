import { itemProblem } from '../batches/index.ts';
import type { ProblemData } from '../platform/problem.ts';
import type { SheetNote, SheetRow } from '../platform/spreadsheet/cells.ts';
import { readRows } from '../platform/spreadsheet/read-file.ts';
import { fileWithoutRows } from './errors.ts';
import type { GivenRow } from './given-row.ts';
import { type Field, type Header, recogniseHeader } from './header.ts';
import { listProblem } from './problems.ts';
import { MAX_ITEMS } from './schemas.ts';

/** Rows to be paid, in pieces, and what is to be said of them once all are taken. */
export interface RowSource {
  pieces: AsyncIterable<GivenRow[]>;
  /** After the last piece: about the list as a whole. */
  warnings(): ProblemData[];
}

/** The rows of a file that is open as `fd`. @throws AppError with what is wrong with the file, while it is being read. */
export function rowsOfSheet(fd: number, kind: 'CSV' | 'XLSX'): RowSource {
  const reading = readRows(fd, kind, MAX_ITEMS);
  let header: Header | undefined;
  async function* pieces(): AsyncGenerator<GivenRow[]> {
    let rows = 0;
    for await (const piece of reading.pieces) {
      const below = header === undefined ? piece.slice(1) : piece;
      const columns = header ?? recogniseHeader(piece[0]?.cells ?? []);
      header = columns;
      rows += below.length;
      yield below.map((row) => givenRow(row, columns));
    }
    if (rows === 0) throw fileWithoutRows();
  }
  return {
    pieces: pieces(),
    warnings() {
      const { emptyRows, notes } = reading.end();
      const skipped = emptyRows === 0 ? [] : [listProblem('EMPTY_ROWS_SKIPPED', { rows: emptyRows })];
      return [...notes.map(noteProblem), ...(header?.warnings ?? []), ...skipped];
    },
  };
}

function givenRow({ row, cells }: SheetRow, { columns, width }: Header): GivenRow {
  const cell = (field: Field) => cells[columns.get(field) ?? -1] ?? '';
  const tooMany = cells.length > width;
  return {
    position: row,
    amount: cell('amount'),
    bankCode: cell('bankCode'),
    bankName: cell('bankName'),
    accountNumber: cell('accountNumber'),
    givenName: cell('givenName'),
    narration: cell('narration'),
    phoneNumber: cell('phoneNumber'),
    complaint: tooMany ? itemProblem('ROW_TOO_LONG', { row, cells: cells.length, columns: width }) : null,
  };
}

function noteProblem(note: SheetNote): ProblemData {
  switch (note.kind) {
    case 'NOT_UTF8':
      return listProblem('FILE_NOT_UTF8', {});
    case 'HIDDEN_ROWS':
      return listProblem('HIDDEN_ROWS_READ', { rows: note.rows });
    case 'OTHER_SHEETS':
      return listProblem('OTHER_SHEETS_NOT_READ', { sheet: note.sheet });
  }
}
