import type { ProblemData } from '../platform/problem.ts';
import type { SheetHead } from '../platform/spreadsheet/cells.ts';
import { findHeader, type Header, type HeaderWish, headersOf, namesPayments } from './header.ts';
import { listProblem } from './problems.ts';
import type { ReadingOptions } from './upload-options.ts';

/** A sheet of the workbook, with whether a list to be paid stands in it. */
export interface SeenSheet {
  name: string;
  /** Its place among those that can be seen, from 1. */
  position: number;
  isRecognised: boolean;
}

/** `sheet` is its place among the heads, from 0; undefined where it has to be said. */
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

/** By its name, in any case; else by its place, from 1. */
function sheetNamed(sheets: readonly SeenSheet[], wanted: string): number | undefined {
  const plain = (name: string) => name.trim().toLowerCase();
  const named = sheets.findIndex(({ name }) => name === wanted);
  const alike = named >= 0 ? named : sheets.findIndex(({ name }) => plain(name) === plain(wanted));
  if (alike >= 0) return alike;
  const place = /^\d{1,3}$/.test(wanted.trim()) ? Number(wanted) - 1 : -1;
  return sheets[place] === undefined ? undefined : place;
}
