import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { countList, everyRow, type FoundList, readList } from '../platform/lists/read-list.ts';
import { LINE_RESULTS, type LineResult } from './classify-line.ts';
import {
  countOpenLines,
  floatCheckList,
  importList,
  type LineState,
  type ListedImport,
  lineList,
  listLastFloatChecks,
} from './desk-queries.ts';
import { importNotFound } from './errors.ts';
import { findImport } from './import-queries.ts';
import type { FloatCheckRow, ImportRow, LineRow } from './queries.ts';

/** `OPEN`: differs, and nobody has resolved it. */
export const LINE_STATES = ['ALL', 'OPEN', 'RESOLVED', 'MATCHED'] as const;

/** The comparisons of the rails' balances with our books, newest first. @throws AppError 400 `CURSOR_INVALID` */
export const readFloatChecks = (queries: Queries, request: ListRequest): Promise<FoundList<FloatCheckRow>> =>
  readList(queries, floatCheckList, request);

/** The last comparison of each group of rails that was ever compared together. */
export const readLastFloatChecks = (queries: Queries): Promise<FloatCheckRow[]> => queries.query(listLastFloatChecks);

/**
 * Where the float stands: of each group of rails the last comparison, but for groups of which a rail was compared in another
 * one since. What such a group said was said of rails that do not pay by themselves any more, or no longer pay.
 */
export async function readFloatStatus(queries: Queries): Promise<FloatCheckRow[]> {
  const last = await readLastFloatChecks(queries);
  return last.filter((one) => !last.some((later) => isComparedAnew(one, later)));
}

function isComparedAnew(one: FloatCheckRow, later: FloatCheckRow): boolean {
  const isOfOneFloat = later.mode === one.mode && later.merchant_id === one.merchant_id;
  if (!isOfOneFloat || later.checked_at.getTime() <= one.checked_at.getTime()) return false;
  const rails = new Set(one.rails.split(', '));
  return later.rails.split(', ').some((name) => rails.has(name));
}

/** Lines of one import that have this result, differ from our books and wait for somebody. */
export const countOpenLinesOf = (queries: Queries, importId: string, result: LineResult): Promise<number> =>
  countList(queries, lineList(importId, { state: 'OPEN', result }), MAX_LINES);

/** No file has as many. */
const MAX_LINES = 1_000_000;

/** Lines of settlement files that differ from our books and wait for somebody. */
export async function countUndecidedLines(queries: Queries): Promise<number> {
  const [row] = await queries.query(countOpenLines);
  return row?.total ?? 0;
}

const PIECE = 1_000;

export interface SettlementSummary {
  settlement: ImportRow;
  /** Lines by result; every result is there. */
  counts: Record<LineResult, number>;
  /** Lines that differ and that nobody resolved. */
  unresolved: number;
}

/** The imports, newest first; with `needsDecision` those with a line that waits for somebody. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readSettlements(
  queries: Queries,
  { needsDecision = false }: { needsDecision?: boolean | undefined },
  request: ListRequest,
): Promise<FoundList<SettlementSummary>> {
  const { rows, wrapper } = await readList(queries, importList(needsDecision), request);
  return { rows: rows.map(summaryOf), wrapper };
}

function summaryOf({ counts, unresolved, ...settlement }: ListedImport): SettlementSummary {
  const all = Object.fromEntries(LINE_RESULTS.map((result) => [result, counts?.[result] ?? 0]));
  return { settlement, counts: all as Record<LineResult, number>, unresolved };
}

/**
 * The lines of an import in the order of the file, lines that the file lacks last.
 * @throws AppError `SETTLEMENT_NOT_FOUND`; 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readLinePage(
  queries: Queries,
  { importId, state, result }: { importId: string; state: LineState; result: LineResult | null },
  request: ListRequest,
): Promise<FoundList<LineRow>> {
  await requireImport(queries, importId);
  return readList(queries, lineList(importId, { state, result }), request);
}

/** All lines of an import in the same order. @throws AppError `SETTLEMENT_NOT_FOUND`. */
export async function* readLines(
  queries: Queries,
  importId: string,
  result: LineResult | null,
): AsyncGenerator<LineRow> {
  await requireImport(queries, importId);
  for await (const lines of everyRow(queries, lineList(importId, { result }), PIECE)) yield* lines;
}

async function requireImport(queries: Queries, importId: string): Promise<void> {
  const [settlement] = await queries.query(findImport, [importId]);
  if (settlement === undefined) throw importNotFound();
}
