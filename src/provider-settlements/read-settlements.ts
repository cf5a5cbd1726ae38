import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { everyRow, type FoundList, readList } from '../platform/lists/read-list.ts';
import { importNotFound } from '../reconciliation/index.ts';
import { PROVIDER_LINE_RESULTS, type ProviderLineResult } from './classify-line.ts';
import { type SettlementFetchRow, settlementFetchList } from './fetch-queries.ts';
import {
  countProviderSettlements,
  type ListedProviderLine,
  type ListedSettlement,
  oneProviderSettlement,
  type ProviderLineState,
  providerLineList,
  providerSettlementList,
  providerSettlementsToDecide,
} from './list-queries.ts';
import { findProviderSettlement } from './queries.ts';

const PIECE = 1_000;

export type ProviderSettlementSummary = Omit<ListedSettlement, 'counts'> & {
  /** Lines by result; every result is there. */
  counts: Record<ProviderLineResult, number>;
};

/** Settlements that another person recorded and that wait to be applied, and lines of applied ones that differ. */
export async function countProviderSettlementsToDecide(
  queries: Queries,
  email: string,
): Promise<{ toApply: number; lines: number }> {
  const [row] = await queries.query(countProviderSettlements, [email]);
  return { toApply: row?.to_apply ?? 0, lines: row?.lines ?? 0 };
}

/** Recorded settlements, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readProviderSettlements(
  queries: Queries,
  { needsDecision = false }: { needsDecision?: boolean | undefined },
  request: ListRequest,
): Promise<FoundList<ProviderSettlementSummary>> {
  const list = needsDecision ? providerSettlementsToDecide : providerSettlementList;
  const { rows, wrapper } = await readList(queries, list, request);
  return { rows: rows.map(summaryOf), wrapper };
}

/** @throws AppError 404 `SETTLEMENT_NOT_FOUND`. */
export async function readProviderSettlement(queries: Queries, id: string): Promise<ProviderSettlementSummary> {
  const { rows } = await readList(queries, oneProviderSettlement(id), { page: 1, size: 1 });
  const [row] = rows;
  if (row === undefined) throw importNotFound();
  return summaryOf(row);
}

function summaryOf(row: ListedSettlement): ProviderSettlementSummary {
  const counts = Object.fromEntries(PROVIDER_LINE_RESULTS.map((result) => [result, row.counts?.[result] ?? 0]));
  return { ...row, counts: counts as Record<ProviderLineResult, number> };
}

/**
 * The lines of a settlement in the order of the file, lines that it lacks last.
 * @throws AppError 404 `SETTLEMENT_NOT_FOUND`; 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readProviderLines(
  queries: Queries,
  {
    settlementId,
    state,
    result,
  }: { settlementId: string; state: ProviderLineState; result: ProviderLineResult | null },
  request: ListRequest,
): Promise<FoundList<ListedProviderLine>> {
  await requireSettlement(queries, settlementId);
  return readList(queries, providerLineList(settlementId, { state, result }), request);
}

/** All of them, in the same order. @throws AppError 404 `SETTLEMENT_NOT_FOUND`. */
export async function* everyProviderLine(
  queries: Queries,
  settlementId: string,
  result: ProviderLineResult | null,
): AsyncGenerator<ListedProviderLine> {
  await requireSettlement(queries, settlementId);
  for await (const lines of everyRow(queries, providerLineList(settlementId, { result }), PIECE)) yield* lines;
}

async function requireSettlement(queries: Queries, settlementId: string): Promise<void> {
  const [found] = await queries.query(findProviderSettlement, [settlementId]);
  if (found === undefined) throw importNotFound();
}

/** Settlements that providers listed or reported, newest first. */
export const readSettlementFetches = (queries: Queries, request: ListRequest): Promise<FoundList<SettlementFetchRow>> =>
  readList(queries, settlementFetchList, request);
