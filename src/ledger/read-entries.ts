import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type CodeSum,
  type EntryRange,
  findStatementBounds,
  listStatementEntries,
  listTransactionsOfCodes,
  rangeValues,
  type StatementEntry,
  statementList,
  sumEntriesByCode,
  type TransactionSum,
} from './statement-queries.ts';

/** A position among the entries of an account, and the booked balance there. */
export interface EntryBound {
  sequence: bigint;
  balanceMinor: bigint;
}

/** Entries of a range that are read at a time. */
const CHUNK = 5_000;
/** Later than any entry. */
const END_OF_TIME = new Date('9999-01-01T00:00:00Z');

/** The last entry of an account before a given time; where none is given, the last one of all. */
export async function readEntryBound(
  queries: Queries,
  { merchantId, mode }: Tenant,
  accountId: string,
  before: Date = END_OF_TIME,
): Promise<EntryBound> {
  const [bound] = await queries.query(findStatementBounds, [merchantId, mode, accountId, [before]]);
  return { sequence: bound?.sequence ?? 0n, balanceMinor: bound?.balance_minor ?? 0n };
}

/** What the posted entries of a range add up to, by code and direction. */
export const readCodeSums = (queries: Queries, tenant: Tenant, range: EntryRange): Promise<CodeSum[]> =>
  queries.query(sumEntriesByCode, rangeValues(tenant, range));

/** What each transaction of a range adds up to in codes that begin so, in pieces. */
export async function* eachTransactionOfCodes(
  queries: Queries,
  tenant: Tenant,
  range: EntryRange,
  beginning: string,
): AsyncGenerator<TransactionSum[]> {
  let { afterSequence } = range;
  while (afterSequence < range.upToSequence) {
    const upToSequence = least(afterSequence + BigInt(CHUNK), range.upToSequence);
    const piece = { ...range, afterSequence, upToSequence };
    yield await queries.query(listTransactionsOfCodes, [...rangeValues(tenant, piece), beginning]);
    afterSequence = upToSequence;
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** A page of the posted entries of a range, newest first. */
export function pageEntries(
  queries: Queries,
  tenant: Tenant,
  { range, of }: { range: EntryRange; of: readonly unknown[] },
  request: ListRequest,
): Promise<FoundList<StatementEntry>> {
  return readList(queries, statementList(tenant, range, { of, since: undefined, counted: undefined }), request);
}

/** Every posted entry of a range, oldest first, in pieces. */
export async function* eachEntry(
  queries: Queries,
  tenant: Tenant,
  range: EntryRange,
): AsyncGenerator<StatementEntry[]> {
  let { afterSequence } = range;
  for (;;) {
    const rest = { ...range, afterSequence };
    const entries = await queries.query(listStatementEntries, [...rangeValues(tenant, rest), CHUNK]);
    const last = entries.at(-1);
    if (last === undefined) return;
    yield entries;
    afterSequence = last.sequence;
  }
}
