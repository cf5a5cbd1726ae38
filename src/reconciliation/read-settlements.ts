import type { Queries } from '../platform/db/database.ts';
import { importNotFound } from './errors.ts';
import { findImport, type ImportRow, type LineRow, listImports, listLines } from './queries.ts';
import { LINE_RESULTS, type LineResult } from './settlement-kinds.ts';

const PIECE = 1_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const AFTER_ALL_LINES = 2 ** 31 - 1;

export interface SettlementSummary {
  settlement: ImportRow;
  /** Lines by result; every result is there. */
  counts: Record<LineResult, number>;
  /** Lines that differ and that nobody resolved. */
  unresolved: number;
}

/** The last imports, newest first. */
export async function readSettlements(queries: Queries, limit: number): Promise<SettlementSummary[]> {
  const rows = await queries.query(listImports, [limit]);
  return rows.map(({ counts, unresolved, ...settlement }) => ({
    settlement,
    counts: Object.fromEntries(LINE_RESULTS.map((result) => [result, counts?.[result] ?? 0])) as Record<
      LineResult,
      number
    >,
    unresolved,
  }));
}

/** The lines of an import as the file has them, those that it lacks last. @throws AppError `SETTLEMENT_NOT_FOUND`. */
export async function* readLines(
  queries: Queries,
  importId: string,
  result: LineResult | null,
): AsyncGenerator<LineRow> {
  const [settlement] = await queries.query(findImport, [importId]);
  if (settlement === undefined) throw importNotFound();
  let after: [number, string] = [0, NO_ID];
  for (;;) {
    const lines = await queries.query(listLines, [importId, result, ...after, PIECE]);
    yield* lines;
    const last = lines.at(-1);
    if (last === undefined) return;
    after = [last.line_number ?? AFTER_ALL_LINES, last.id];
  }
}
