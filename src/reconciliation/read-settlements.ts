import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { everyRow, type FoundList, readList } from '../platform/lists/read-list.ts';
import { importList, type LineState, type ListedImport, lineList } from './desk/queries.ts';
import { importNotFound } from './errors.ts';
import { findImport, type ImportRow, type LineRow } from './queries.ts';
import { LINE_RESULTS, type LineResult } from './settlement-kinds.ts';

const PIECE = 1_000;

export interface SettlementSummary {
  settlement: ImportRow;
  /** Lines by result; every result is there. */
  counts: Record<LineResult, number>;
  /** Lines that differ and that nobody resolved. */
  unresolved: number;
}

/** The imports, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readSettlements(queries: Queries, request: ListRequest): Promise<FoundList<SettlementSummary>> {
  const { rows, wrapper } = await readList(queries, importList, request);
  return { rows: rows.map(summaryOf), wrapper };
}

function summaryOf({ counts, unresolved, ...settlement }: ListedImport): SettlementSummary {
  const all = Object.fromEntries(LINE_RESULTS.map((result) => [result, counts?.[result] ?? 0]));
  return { settlement, counts: all as Record<LineResult, number>, unresolved };
}

/**
 * The lines of an import as the file has them, those that it lacks last.
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
