import type { Queries } from '../db/database.ts';
import type { Asked } from '../db/statement.ts';
import {
  cursorInvalid,
  cursorMismatch,
  cursorOf,
  keyValues,
  type List,
  type ListIdentity,
  type ListRequest,
  MAX_COUNTED,
  printOf,
} from './list.ts';
import { pageOfList, rowsBeyond, totalOfList } from './queries.ts';

/** Totals of a page by its number. For a page by cursor nothing is counted, and these are null. */
interface Totals {
  page: number;
  totalRecords: number;
  totalPages: number;
  totalIsExact: boolean;
}

/** The wrapper of a list without its records. */
type ListWrapper = { size: number; nextCursor: string | null; previousCursor: string | null } & (
  | Totals
  | { [name in keyof Totals]: null }
);

export interface FoundList<Row> {
  rows: Row[];
  wrapper: ListWrapper;
}

/** The wrapper of the interface around the rows as they are on the wire. */
export function listView<Row, View>({ rows, wrapper }: FoundList<Row>, viewOf: (row: Row, at: number) => View) {
  return { ...wrapper, records: rows.map(viewOf) };
}

/**
 * The rows that a request asks for, in the order of the list, from one statement. By cursor, paging in either direction
 * gives every row that was there at the first page exactly once, whatever is written meanwhile.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readList<Row>(queries: Queries, list: List<Row>, request: ListRequest): Promise<FoundList<Row>> {
  const limit = request.size + 1;
  if ('cursor' in request) {
    const found = await ask(queries, rowsBeyond(list, { ...positionOf(list, request), limit }));
    return beyond(list, request, found);
  }
  const { page, size } = request;
  const countUpTo = (list.mostCounted ?? MAX_COUNTED) + 1;
  const found = await ask(queries, pageOfList(list, { offset: (page - 1) * size, limit, countUpTo }));
  const isWhole = page === 1 && list.uncounted === undefined;
  const counted =
    typeof list.total === 'number'
      ? list.total
      : // Rows carry the total; a page without rows behind the first one does not.
        (found[0]?.total_records ?? (isWhole ? 0 : await countList(queries, list, countUpTo - 1)));
  return numbered(list, { ...request, counted, goesBack: page > 1 || !isWhole }, found);
}

/** A page by its number of a list that was counted and begins near it: so many of its rows are before the page. */
export async function readListFrom<Row>(
  queries: Queries,
  list: List<Row>,
  { page, size, counted, skipped }: { page: number; size: number; counted: number; skipped: number },
): Promise<FoundList<Row>> {
  const asked = pageOfList({ ...list, total: counted }, { offset: skipped, limit: size + 1, countUpTo: 0 });
  const found = await ask(queries, asked);
  return numbered({ ...list, mostCounted: Infinity }, { page, size, counted, goesBack: page > 1 }, found);
}

/** How many rows a list has, counted up to one more than `upTo`. */
export async function countList<Row>(queries: Queries, list: List<Row>, upTo = MAX_COUNTED): Promise<number> {
  const [row] = await ask(queries, totalOfList(list, upTo + 1));
  return row?.total_records ?? 0;
}

/** Every row of a list in its order, in pieces. In a snapshot all are of one moment. */
export async function* everyRow<Row>(queries: Queries, list: List<Row>, atOnce: number): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const key = last === undefined ? undefined : list.order.keys.map((part) => part.of(last as Row) ?? 'infinity');
    const rows = await ask(queries, rowsBeyond(list, { direction: 'after', key, limit: atOnce }));
    if (rows.length > 0) yield rows;
    last = rows.length < atOnce ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** The same for rows in memory, in the order of the list. */
export function readArray<Row>(
  list: ListIdentity<Row>,
  all: readonly Row[],
  matches: (row: Row) => boolean,
  request: ListRequest,
): FoundList<Row> {
  const limit = request.size + 1;
  if (!('cursor' in request)) {
    const { page, size } = request;
    const found = all.filter(matches);
    const offset = (page - 1) * size;
    const wanted = found.slice(offset, offset + limit);
    return numbered(list, { ...request, counted: found.length, goesBack: page > 1 }, wanted);
  }
  const { key } = positionOf(list, request);
  const at = all.findIndex((row) => list.order.keys.every((part, index) => part.of(row) === key[index]));
  if (at < 0) throw cursorInvalid();
  const side = request.direction === 'after' ? all.slice(at + 1) : all.slice(0, at).toReversed();
  return beyond(list, request, side.filter(matches).slice(0, limit));
}

/** A page by its number: `found` has one row more than its size where there are more. */
export function numbered<Row>(
  list: ListIdentity<Row> & { mostCounted?: number },
  { page, size, counted, goesBack }: { page: number; size: number; counted: number; goesBack: boolean },
  found: readonly Row[],
): FoundList<Row> {
  const mostCounted = list.mostCounted ?? MAX_COUNTED;
  const totalIsExact = counted <= mostCounted;
  // Beyond what is counted, at least so many, and always more than this page while there is more: a client that pages
  // on until `totalPages` misses nothing.
  const totalRecords = totalIsExact ? counted : Math.max(mostCounted, (page - 1) * size + found.length);
  const totals = { page, totalRecords, totalPages: Math.ceil(totalRecords / size), totalIsExact };
  return wrapped(list, found.slice(0, size), { size, ...totals }, { goesOn: found.length > size, goesBack });
}

const NOT_COUNTED = { page: null, totalRecords: null, totalPages: null, totalIsExact: null } as const;

function beyond<Row>(
  list: ListIdentity<Row>,
  { direction, size }: { direction: 'after' | 'before'; size: number },
  found: readonly Row[],
): FoundList<Row> {
  const nearest = found.slice(0, size);
  const rows = direction === 'after' ? nearest : nearest.toReversed();
  const hasMore = found.length > size;
  // There was a row at the position that the request came from.
  const ends = direction === 'after' ? { goesOn: hasMore, goesBack: true } : { goesOn: true, goesBack: hasMore };
  return wrapped(list, rows, { size, ...NOT_COUNTED }, ends);
}

function wrapped<Row>(
  list: ListIdentity<Row>,
  rows: Row[],
  totals: { size: number } & (Totals | { [name in keyof Totals]: null }),
  { goesOn, goesBack }: { goesOn: boolean; goesBack: boolean },
): FoundList<Row> {
  const [first, last] = [rows[0], rows.at(-1)];
  const nextCursor = goesOn && last !== undefined ? cursorOf(list, last) : null;
  const previousCursor = goesBack && first !== undefined ? cursorOf(list, first) : null;
  return { rows, wrapper: { ...totals, nextCursor, previousCursor } };
}

function positionOf<Row>(list: ListIdentity<Row>, request: Extract<ListRequest, { direction: unknown }>) {
  const { direction, cursor } = request;
  if (cursor.print !== printOf(list.name, list.of)) throw cursorMismatch();
  return { direction, key: keyValues(list.order, cursor) };
}

const ask = <Row>(queries: Queries, { statement, values }: Asked<Row>): Promise<Row[]> =>
  queries.query(statement, values);
