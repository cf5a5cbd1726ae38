import { Type } from 'typebox';
import { keptByOwner } from '../cache.ts';
import { type Database, type Queries, sqlState } from '../db/database.ts';
import type { Reader } from '../db/replica.ts';
import { readWhileWanted } from '../db/while-wanted.ts';
import { AppError } from '../errors.ts';
import { Money, Named, Nullable } from '../http/schemas.ts';
import { createOpenWork, createOwnerQueue, type OpenWork, type OwnerQueue } from '../owner-queue.ts';
import { type List, type ListRequest, MAX_COUNTED } from './list.ts';
import { type Sums, sumsOfList } from './queries.ts';
import { countList, type FoundList, readList } from './read-list.ts';

/** The longest time of a search without an index. A person waits no longer, and the database has other work. */
const MAX_LOOKING_MS = 8_000;
/** Searches that one process runs at once: the other connections are for short reads. */
const AT_ONCE = 2;
/**
 * Searches of one merchant that may wait or run: each open page asks for a list and its totals again once something has
 * changed.
 */
const MAX_OF_OWNER = 50;

const searchTooLong = () =>
  new AppError(
    'refused',
    'SEARCH_TOO_LONG',
    'There is too much to look through. Choose a shorter period, or another filter beside it.',
  );

const searchesBusy = () =>
  new AppError('unavailable', 'SEARCHES_BUSY', 'Your other searches have to end first. Please try again shortly.', {
    retryAfterSeconds: 2,
  });

/** What limits the searches of one database. */
interface SearchQueue {
  run: OwnerQueue;
  /** Searches that wait or run, by owner. */
  open: OpenWork;
}

const searchesOf = keptByOwner<Reader, SearchQueue>(() => ({
  run: createOwnerQueue({ atOnce: AT_ONCE }),
  open: createOpenWork(),
}));

interface Searcher {
  /** The merchant whose search it is: it waits for the merchant's other searches. */
  owner: string;
  /** Aborted where the client has gone away. */
  gone?: AbortSignal | undefined;
  /** An index leads to what is asked for, as for the totals of a day: it waits for no search that may take seconds. */
  isIndexed?: boolean;
}

/**
 * One search of each owner at a time, owners by turns, so that an owner with many searches keeps no others from the
 * database. A search whose client went away is not run, and counts no longer: that page was left, or has asked again.
 */
async function inTurn<T>(reader: Reader, searcher: Searcher, search: () => Promise<T>): Promise<T> {
  const { gone } = searcher;
  const owner = searcher.isIndexed === true ? `${searcher.owner} by an index` : searcher.owner;
  const { run, open } = searchesOf(reader);
  if (open.of(owner) >= MAX_OF_OWNER) throw searchesBusy();
  const leave = open.begin(owner);
  gone?.addEventListener('abort', leave, { once: true });
  try {
    return await run(owner, async () => {
      if (gone?.aborted === true) throw searchesBusy();
      return search();
    });
  } finally {
    gone?.removeEventListener('abort', leave);
    leave();
  }
}

/**
 * Reads in one snapshot what may have to look through many rows, each statement for 8 seconds at most, and no longer
 * than the client waits for it.
 * @throws AppError 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function lookThrough<T>(
  { reading }: Pick<Database, 'reading'>,
  searcher: Searcher,
  work: (queries: Queries) => Promise<T>,
  maxMs = MAX_LOOKING_MS,
): Promise<T> {
  try {
    return await inTurn(reading, searcher, () =>
      reading.snapshot((queries) => readWhileWanted(queries, { beside: reading, maxMs, gone: searcher.gone }, work)),
    );
  } catch (error) {
    // The server ended the statement.
    if (sqlState(error) === '57014') throw searchTooLong();
    throw error;
  }
}

/** Whether more rows are before a page by its number than are counted: each of them is read to be skipped. */
export const isFar = (request: ListRequest): boolean =>
  'page' in request && (request.page - 1) * request.size > MAX_COUNTED;

/**
 * A merchant's list, as `readList`; where it is long to look through, or its page far from its beginning, in the turns of
 * that merchant's searches.
 * @param isLong no index leads to what is asked for
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export function readListOf<Row>(
  database: Pick<Database, 'reading'>,
  owner: string,
  { list, isLong = false }: { list: List<Row>; isLong?: boolean },
  request: ListRequest,
): Promise<FoundList<Row>> {
  const read = (queries: Queries) => readList(queries, list, request);
  return isLong || isFar(request) ? lookThrough(database, { owner, gone: request.gone }, read) : read(database.reading);
}

/** The same for other reads in the snapshot of the list. @throws AppError 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY` */
export function readBeside<T>(
  database: Pick<Database, 'reading'>,
  owner: string,
  { request, isLong }: { request: ListRequest; isLong: boolean },
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  return isLong || isFar(request)
    ? lookThrough(database, { owner, gone: request.gone }, work)
    : database.reading.snapshot(work);
}

/** The sums of the rows with one status and currency, in minor units. */
export interface StatusSum {
  status: string;
  currency: string;
  records: number;
  amountMinor: bigint;
  feesMinor: bigint;
}

/** The sums of a filter; `sums` is null where there are more rows than are added up. */
export interface ListSums {
  records: number;
  sums: StatusSum[] | null;
}

/**
 * The sums of a whole list by status and currency, read at one moment. Beyond 100,000 rows it returns only that there
 * are more: a part of a sum would be a wrong number.
 * @param fees the columns that are added up beside the amount
 * @param searcher the merchant whose list it is
 * @param upTo how many rows are added up at most
 * @throws AppError 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function addUpList<Row, Fees extends string>(
  database: Pick<Database, 'reading'>,
  searcher: Searcher,
  list: List<Row>,
  fees: readonly Fees[],
  upTo = MAX_COUNTED,
): Promise<ListSums> {
  const { statement: asked, values } = sumsOfList<Row, 'status' | 'currency', 'amount_minor' | Fees>(
    list,
    ['status', 'currency'],
    ['amount_minor', ...fees],
    upTo,
  );
  const rows = await lookThrough(database, searcher, async (queries) => {
    // Where an index can count the rows, too many are found out before they are added up. Where none can, that would
    // read them twice.
    const isTooMuch = list.isFleeting !== true && (await countList(queries, list, upTo)) > upTo;
    return isTooMuch ? undefined : queries.query(asked, values);
  });
  if (rows === undefined) return { records: upTo, sums: null };
  const records = rows.reduce((sum, row) => sum + row.records, 0);
  if (records > upTo) return { records: upTo, sums: null };
  return { records, sums: rows.map((row) => sumOf(row, fees)) };
}

function sumOf<Fees extends string>(
  row: Sums<'status' | 'currency', 'amount_minor' | Fees>,
  fees: readonly Fees[],
): StatusSum {
  const { status, currency, records, amount_minor } = row;
  const feesMinor = fees.reduce((sum, name) => sum + BigInt(row[name] as string), 0n);
  return { status, currency, records, amountMinor: BigInt(amount_minor), feesMinor };
}

/** The sums of a filter, on the wire. */
export const ListTotalsSchema = Named(
  'ListTotals',
  Type.Object({
    isComplete: Type.Boolean({
      description:
        'False: there are more records than are added up, 100,000; then count is a lower bound, and totals null.',
    }),
    count: Type.Integer({ description: 'How many match the filter.' }),
    totals: Nullable(
      Type.Array(
        Type.Object({
          status: Type.String(),
          currency: Type.Literal('NGN'),
          count: Type.Integer(),
          amount: Nullable(Money('The sum of the amounts; null where no JSON number holds it exactly.')),
          fees: Nullable(Money('The sum of charges, or of fees and VAT; null as amount.')),
        }),
      ),
    ),
  }),
);
