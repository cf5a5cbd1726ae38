import type { Queries } from '../../platform/db/database.ts';
import { importNotFound } from '../errors.ts';
import { type FloatCheckRow, findImport, type LineRow } from '../queries.ts';
import { readSettlements, type SettlementSummary } from '../read-settlements.ts';
import type { LineResult } from '../settlement-kinds.ts';
import {
  countFloatChecks,
  countImports,
  countLinePage,
  countOpenLines,
  listFloatChecks,
  listLastFloatChecks,
  listLinePage,
} from './queries.ts';

interface Slice {
  offset: number;
  limit: number;
}

/** `OPEN`: differs, and nobody has resolved it. */
export const LINE_STATES = ['ALL', 'OPEN', 'RESOLVED', 'MATCHED'] as const;
export type LineState = (typeof LINE_STATES)[number];

/** The comparisons of the rails' balances with our books, newest first. */
export async function readFloatChecks(
  queries: Queries,
  { offset, limit }: Slice,
): Promise<{ total: number; rows: FloatCheckRow[] }> {
  const [[count], rows] = await Promise.all([
    queries.query(countFloatChecks),
    queries.query(listFloatChecks, [offset, limit]),
  ]);
  return { total: count?.total ?? 0, rows };
}

/** The last comparison of each group of rails: where the float stands. */
export function readFloatStanding(queries: Queries): Promise<FloatCheckRow[]> {
  return queries.query(listLastFloatChecks);
}

/** A page of an import's lines as the file has them, those that it lacks last. @throws AppError `SETTLEMENT_NOT_FOUND`. */
export async function readLinePage(
  queries: Queries,
  { importId, state, result }: { importId: string; state: LineState; result: LineResult | null },
  { offset, limit }: Slice,
): Promise<{ total: number; rows: LineRow[] }> {
  const [settlement] = await queries.query(findImport, [importId]);
  if (settlement === undefined) throw importNotFound();
  const [[count], rows] = await Promise.all([
    queries.query(countLinePage, [importId, state, result]),
    queries.query(listLinePage, [importId, state, result, offset, limit]),
  ]);
  return { total: count?.total ?? 0, rows };
}

/** Lines of settlement files that differ from our books and wait for somebody. */
export async function countUndecidedLines(queries: Queries): Promise<number> {
  const [row] = await queries.query(countOpenLines);
  return row?.total ?? 0;
}

/** A page of the imports, newest first. */
export async function readSettlementPage(
  queries: Queries,
  { offset, limit }: Slice,
): Promise<{ total: number; summaries: SettlementSummary[] }> {
  const [[count], summaries] = await Promise.all([
    queries.query(countImports),
    readSettlements(queries, offset + limit),
  ]);
  return { total: count?.total ?? 0, summaries: summaries.slice(offset) };
}
