import { itemProblem } from '../batches/index.ts';
import { type ProblemData, shortened } from '../platform/problem.ts';
import {
  type CellFault,
  columnName,
  type SheetHead,
  type SheetNote,
  type SheetRow,
} from '../platform/spreadsheet/cells.ts';
import { tooManyRows } from '../platform/spreadsheet/errors.ts';
import { readRows } from '../platform/spreadsheet/read-file.ts';
import { FIELDS, type Field } from './column-names.ts';
import { columnsUnclear, fileWithoutRows, listProblem, sheetUnclear } from './errors.ts';
import {
  chooseSheet,
  findHeader,
  foreignCurrency,
  type Header,
  headersOf,
  type SeenSheet,
  shownColumn,
} from './header.ts';
import { couldTitleBePayment, LeftOut, namesOtherColumns, reasonToLeaveOut } from './left-out.ts';
import {
  type ColumnMapping,
  mapColumns,
  type RememberedFields,
  type SeenColumn,
  seenColumns,
  shapeOf,
} from './map-columns.ts';
import type { GivenRow } from './read-row.ts';
import { MAX_ITEMS } from './schemas.ts';
import { HEADER_WITHIN, type ReadingOptions } from './upload-options.ts';

/** Rows to be paid, in pieces, and the warnings about them once all are taken. */
export interface RowSource {
  pieces: AsyncIterable<GivenRow[]>;
  /** Warnings about the list as a whole. Called after the last piece. */
  warnings(): ProblemData[];
  /** How a file was read. Called after the last piece. Undefined for a list that is no file. */
  understood?(): SheetUnderstood;
}

/** How a file was understood: its sheet, its header, its columns, and the rows that were left out. */
export interface SheetUnderstood {
  sheets: SeenSheet[];
  /** Undefined where the sender has to say which one it is. */
  sheet: SeenSheet | undefined;
  header: Header | undefined;
  mapping: ColumnMapping | undefined;
  columns: SeenColumn[];
  leftOut: LeftOut;
  /** How many cells of the rows that were read have the result of a formula. */
  formulas: number;
  /** Values for rows that leave a field empty. */
  defaults: ReadingOptions['defaults'];
  /** Why no list can be made of the file as it is. */
  problems: ProblemData[];
}

export interface SheetInput {
  /** The file, open for reading. */
  fd: number;
  kind: 'CSV' | 'XLSX';
  options: ReadingOptions;
  /** Finds the fields of columns in earlier files with one of these headers, by the shape of the header. */
  findRemembered: (shapes: readonly string[]) => Promise<ReadonlyMap<string, RememberedFields>>;
  /** Reads as much of the file as it can and collects the reasons, where a file would be refused otherwise. */
  isPreview?: boolean;
}

/** Room for totals, signatures and notes below a full list. */
const MAX_BESIDE_ITEMS = 1_000;

/** Ends the reading of a file that is only looked at, where no sheet can be read. */
class NothingToRead extends Error {}

/** The rows of a file. @throws AppError with what is wrong with the file, while it is being read. */
export function rowsOfSheet(input: SheetInput): RowSource & Required<Pick<RowSource, 'understood'>> {
  const seen: SheetUnderstood = {
    ...{ sheets: [], sheet: undefined, header: undefined, mapping: undefined, columns: [] },
    ...{ leftOut: new LeftOut(), formulas: 0, defaults: input.options.defaults, problems: [] },
  };
  const reading = readRows(input.fd, input.kind, MAX_ITEMS + MAX_BESIDE_ITEMS, async (heads) => {
    await understand(input, heads, seen);
    const { sheet, header } = seen;
    if (sheet === undefined || (header === undefined && heads[sheet.position - 1]?.rows.length !== 0)) {
      throw new NothingToRead();
    }
    const first = (input.options.includeRows ?? []).reduce(
      (least, row) => Math.min(least, row),
      Number.POSITIVE_INFINITY,
    );
    return { sheet: sheet.position - 1, after: Math.min(header?.row ?? 0, first - 1) };
  });
  async function* pieces(): AsyncGenerator<GivenRow[]> {
    let rows = 0;
    const taker = createTaker(input, seen);
    try {
      for await (const piece of reading.pieces) {
        const taken = taker(piece);
        rows += taken.length;
        if (rows > MAX_ITEMS) throw tooManyRows(MAX_ITEMS);
        if (taken.length > 0) yield taken;
      }
    } catch (error) {
      if (error instanceof NothingToRead) return;
      throw error;
    }
    if (rows > 0) return;
    if (input.isPreview !== true || seen.leftOut.count === 0) throw fileWithoutRows(seen.leftOut.count);
    seen.problems.push(listProblem('NO_PAYMENTS', { rows: seen.leftOut.count }));
  }
  return {
    pieces: pieces(),
    understood: () => seen,
    warnings() {
      if (seen.header === undefined) return [];
      const { emptyRows, notes } = reading.end();
      const skipped = emptyRows === 0 ? [] : [listProblem('EMPTY_ROWS_SKIPPED', { rows: emptyRows })];
      const formulas = seen.formulas === 0 ? [] : [listProblem('FORMULAS_READ', { cells: seen.formulas })];
      const unused = seen.mapping?.warnings ?? [];
      return [
        ...notes.flatMap((note) => noteProblem(note, seen) ?? []),
        ...unused,
        ...skipped,
        ...leftOutWarnings(seen.leftOut),
        ...formulas,
      ];
    },
  };
}

/** Finds sheet, header and columns in what the sheets begin with. @throws AppError what is not clear, unless it is a preview */
async function understand(input: SheetInput, heads: readonly SheetHead[], seen: SheetUnderstood): Promise<void> {
  const { options, isPreview = false } = input;
  const shapes = heads.flatMap(({ rows }) => headersOf(rows).map(shapeOf));
  const remembered = await input.findRemembered([...new Set(shapes)]);
  const isKnown = (header: Header) => remembered.has(shapeOf(header));
  const { sheets, sheet, problem } = chooseSheet(heads, options, isKnown);
  seen.sheets = input.kind === 'CSV' ? [] : sheets;
  if (sheet === undefined) {
    seen.problems = problem === undefined ? [] : [problem];
    if (!isPreview && problem !== undefined) throw sheetUnclear(problem);
    return;
  }
  seen.sheet = sheets[sheet];
  const rows = heads[sheet]?.rows ?? [];
  if (rows.length === 0) return;
  const wish = { headerRow: options.headerRow, mapping: options.mapping };
  const known = options.headerRow === undefined ? headersOf(rows).find(isKnown) : undefined;
  const header = known ?? findHeader(rows, wish);
  if (header === undefined) {
    const { headerRow: row } = options;
    const looked = { rows: HEADER_WITHIN };
    seen.problems = [
      row === undefined
        ? listProblem('HEADER_NOT_FOUND', looked)
        : listProblem('HEADER_ROW_NOT_FOUND', { row, ...looked }),
    ];
    if (!isPreview) throw columnsUnclear(seen.problems, rows[0]?.cells ?? []);
    return;
  }
  seen.header = header;
  const before = remembered.get(shapeOf(header));
  seen.mapping = mapColumns({ header, mapping: options.mapping, defaults: options.defaults, remembered: before });
  seen.columns = seenColumns(
    header,
    seen.mapping,
    rows.filter(({ row }) => row > header.row),
  );
  seen.problems = seen.mapping.problems;
  if (!isPreview && seen.problems.length > 0) throw columnsUnclear(seen.problems, header.labels.filter(Boolean));
  for (const row of rows) {
    if (row.row >= header.row || options.includeRows?.includes(row.row) === true) continue;
    seen.leftOut.add(row, 'TITLE', couldTitleBePayment(row, seen.mapping.columns, header));
  }
}

/** Makes rows of a list from rows of a sheet, and notes those that it leaves out. */
function createTaker(
  { kind, options, isPreview = false }: SheetInput,
  seen: SheetUnderstood,
): (rows: readonly SheetRow[]) => GivenRow[] {
  const included = new Set(options.includeRows);
  let last: number | undefined;
  return (rows) => {
    const { header, mapping } = seen;
    if (header === undefined || mapping === undefined) return [];
    const taken: GivenRow[] = [];
    for (const row of rows) {
      const isAbove = row.row <= header.row;
      // The rows above were checked when the header was found.
      if (isAbove && (row.row === header.row || !included.has(row.row))) continue;
      if (!isAbove) seen.leftOut.addEmpty(last ?? header.row, row.row);
      if (!isAbove) last = row.row;
      const isSettled = included.has(row.row) || seen.problems.some(({ code }) => code === 'HEADER_CHANGES');
      if (!isSettled && namesOtherColumns(row, mapping.columns, header)) {
        seen.problems.push(listProblem('HEADER_CHANGES', { row: row.row }));
        if (!isPreview) throw columnsUnclear(seen.problems, row.cells);
      }
      const reason = included.has(row.row) ? undefined : reasonToLeaveOut(row, mapping.columns, header);
      if (reason !== undefined) {
        seen.leftOut.add(row, reason.reason, reason.couldBePayment);
        continue;
      }
      const used = new Set(mapping.columns.values());
      // A cell without a stored result, or with an error as one, was not read: it is said of its row.
      const unread = new Set(row.faults?.map(({ column }) => column));
      seen.formulas += row.formulas?.filter((column) => used.has(column) && !unread.has(column)).length ?? 0;
      taken.push(givenRow(row, mapping, header, { defaults: options.defaults, kind }));
    }
    return taken;
  };
}

function givenRow(
  given: SheetRow,
  { columns, currencies }: ColumnMapping,
  header: Header,
  { defaults, kind }: { defaults: ReadingOptions['defaults']; kind: SheetInput['kind'] },
): GivenRow {
  const { row, cells, faults } = given;
  const cell = (field: Field) => cells[columns.get(field) ?? -1] ?? '';
  const isBroken = (field: Field) => faults?.some(({ column }) => column === columns.get(field)) === true;
  const or = (field: Field, fallback: string | undefined) =>
    cell(field).trim() === '' && !isBroken(field) ? (fallback ?? '') : cell(field);
  const hasBank =
    [cell('bankCode'), cell('bankName')].some((text) => text.trim() !== '') ||
    isBroken('bankName') ||
    isBroken('bankCode');
  const complaint = movedCells(given, columns, header, kind);
  const currency = cell('amount').trim() === '' ? undefined : foreignCurrency(given, currencies);
  const amount = currency === undefined ? cell('amount') : `${currency} ${cell('amount')}`;
  return {
    position: row,
    // Where cells have moved, none of them is the amount: the whole row is kept as it was given.
    amount: complaint === null ? amount : shortened(cells.join(' · ')),
    bankCode: hasBank ? cell('bankCode') : or('bankCode', defaults?.bankCode),
    bankName: cell('bankName'),
    accountNumber: cell('accountNumber'),
    givenName: cell('accountName'),
    narration: or('narration', defaults?.narration),
    phoneNumber: cell('phoneNumber'),
    complaint,
    ...(faults === undefined ? {} : { faults: faultProblems(row, faults, columns) }),
  };
}

/**
 * Whether a separator within a value has moved the cells behind it. In a workbook every cell has its column, and what stands
 * beside the table moves nothing; but it may have been made of a text whose cells had moved.
 */
function movedCells(
  given: SheetRow,
  columns: ColumnMapping['columns'],
  header: Header,
  kind: SheetInput['kind'],
): ProblemData | null {
  const { row, cells, width = 0 } = given;
  const labelled = header.labels.length;
  const isCut = kind === 'CSV' && isAmountCut(given, columns, header);
  const isTooLong = cells.length > labelled || (isCut && width > Math.max(labelled, header.width ?? 0));
  if (kind === 'CSV' && labelled > 0 && isTooLong) {
    return itemProblem('ROW_TOO_LONG', { row, cells: Math.max(cells.length, width), columns: labelled });
  }
  if (!isCut && !isNumberForText(given, columns)) return null;
  const [amount, text] = cutAmount(given, columns).map(shortened);
  return itemProblem('AMOUNT_MAY_BE_CUT', { row, amount: amount ?? '', text: text ?? '' });
}

/** In these fields "000" is an error by itself, so the row cannot be paid anyway. */
const NEVER_THOUSANDS: readonly Field[] = ['bankCode', 'bankName', 'accountNumber'];
/** Fields in which a number has no meaning. */
const TEXTS: readonly Field[] = ['narration', 'accountName'];
/** Digits that would be an amount only as the end of a longer one. A spreadsheet makes 0 of 000. */
const THOUSANDS = /^\d{3}(?:\.\d{1,2})?(?:\/[=-]|=)?$/;
const FEW_DIGITS = /^\d{1,3}(?:\.\d{1,2})?(?:\/[=-]|=)?$/;
const NO_HUNDREDS = /^000(?!\d)/;
const BELOW_A_THOUSAND = /^\D{0,5}\d{1,3}$/;

/** The cell of the amount and the one behind it. */
function cutAmount({ cells }: SheetRow, columns: ColumnMapping['columns']): string[] {
  const at = columns.get('amount') ?? -1;
  return [(cells[at] ?? '').trim(), (cells[at + 1] ?? '').trim()];
}

/** Whether the rest of an amount may stand where a name or a narration belongs: behind 150, a 000. */
function isNumberForText(given: SheetRow, columns: ColumnMapping['columns']): boolean {
  const at = columns.get('amount') ?? -1;
  const [amount = '', next = ''] = cutAmount(given, columns);
  return BELOW_A_THOUSAND.test(amount) && FEW_DIGITS.test(next) && TEXTS.some((field) => columns.get(field) === at + 1);
}

/**
 * Whether the comma of 150,000 may have made two cells of it. In a row with more cells than the header, whose last ones are
 * empty, three digits at the beginning of the next cell show it; in one that is shorter, they have to be all that it says.
 * Elsewhere 101 may be the number of a department.
 */
function isAmountCut(given: SheetRow, columns: ColumnMapping['columns'], { labels, width = 0 }: Header): boolean {
  const at = columns.get('amount') ?? -1;
  if (NEVER_THOUSANDS.some((field) => columns.get(field) === at + 1)) return false;
  const [amount = '', next = ''] = cutAmount(given, columns);
  if (!BELOW_A_THOUSAND.test(amount)) return false;
  const cells = given.width ?? given.cells.length;
  const wide = Math.max(labels.length, width);
  if (labels.length > 0 && cells > wide) return /^\d{3}(?!\d)/.test(next);
  const isShort = labels.length === 0 || cells < wide;
  return THOUSANDS.test(next) && (isShort || NO_HUNDREDS.test(next));
}

/** The errors of cells that are read. */
function faultProblems(row: number, faults: NonNullable<SheetRow['faults']>, columns: ColumnMapping['columns']) {
  return FIELDS.flatMap((field): ProblemData[] => {
    const fault = faults.find(({ column }) => column === columns.get(field));
    if (fault === undefined) return [];
    const cell = `${columnName(fault.column)}${row}`;
    const about = field === 'bankName' ? 'bankCode' : field;
    return [faultProblem(fault, cell, about)];
  });
}

function faultProblem({ kind, text }: CellFault, cell: string, about: Field): ProblemData {
  switch (kind) {
    case 'ERROR':
      return itemProblem('CELL_SHOWS_ERROR', { cell, text }, about);
    case 'NOT_CALCULATED':
      return itemProblem('CELL_NOT_CALCULATED', { cell }, about);
    case 'STRUCK_OUT':
      return itemProblem('CELL_STRUCK_OUT', { cell }, about);
  }
}

/** A sentence names so many rows. */
const MAX_NAMED = 10;

function leftOutWarnings({ rows, count }: LeftOut): ProblemData[] {
  const named = rows.filter(({ reason }) => reason !== 'EMPTY').slice(0, MAX_NAMED);
  const names = named.map(({ row, text }) => `row ${row} "${text}"`);
  return count === 0 ? [] : [listProblem('ROWS_LEFT_OUT', { rows: count, names })];
}

function noteProblem(note: SheetNote, { header, mapping }: SheetUnderstood): ProblemData | undefined {
  switch (note.kind) {
    case 'NOT_UTF8':
      return listProblem('FILE_NOT_UTF8', {});
    case 'HIDDEN_ROWS':
      return listProblem('HIDDEN_ROWS_READ', { rows: note.rows });
    case 'HIDDEN_COLUMNS': {
      const read = [...(mapping?.columns.values() ?? [])].filter((column) => note.columns.includes(column));
      const names = read
        .toSorted((a, b) => a - b)
        .map((column) => shownColumn(header?.labels.map(shortened) ?? [], column));
      return names.length === 0 ? undefined : listProblem('HIDDEN_COLUMNS_READ', { names });
    }
    case 'OTHER_SHEETS':
      return listProblem('OTHER_SHEETS_NOT_READ', { sheet: note.sheet });
  }
}
