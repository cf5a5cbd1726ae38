import type { Queries } from '../../platform/db/database.ts';
import type { ListRequest } from '../../platform/lists/list.ts';
import { countList, type FoundList, readList } from '../../platform/lists/read-list.ts';
import type { FloatCheckRow } from '../queries.ts';
import type { LineResult } from '../settlement-kinds.ts';
import { countOpenLines, floatCheckList, lineList, listLastFloatChecks } from './queries.ts';

/** `OPEN`: differs, and nobody has resolved it. */
export const LINE_STATES = ['ALL', 'OPEN', 'RESOLVED', 'MATCHED'] as const;

/** The comparisons of the rails' balances with our books, newest first. @throws AppError 400 `CURSOR_INVALID` */
export const readFloatChecks = (queries: Queries, request: ListRequest): Promise<FoundList<FloatCheckRow>> =>
  readList(queries, floatCheckList, request);

/** The last comparison of each group of rails: where the float stands. */
export function readFloatStanding(queries: Queries): Promise<FloatCheckRow[]> {
  return queries.query(listLastFloatChecks);
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
