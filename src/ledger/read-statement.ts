import type { Queries } from '../platform/db/database.ts';
import { type ListRequest, MAX_COUNTED } from '../platform/lists/list.ts';
import { type FoundList, readList, readListFrom } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type EntryRange,
  findStatementBounds,
  listStatementEntries,
  rangeValues,
  type StatementEntry,
  statementList,
  sumStatementEntries,
} from './statement-queries.ts';
import { findStatementPlace } from './statement-total-queries.ts';

/** The account and the period of a statement. */
export interface StatementPeriod {
  accountId: string;
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Booked balances in minor units: before the first entry of a period, and after its last. */
export interface StatementBalances {
  openingMinor: bigint;
  closingMinor: bigint;
}

/** What the entries of a period add up to, in minor units. */
export interface StatementSums {
  creditsMinor: bigint;
  debitsMinor: bigint;
}

interface StatementPage extends StatementBalances {
  found: FoundList<StatementEntry>;
  /** Null for a page by cursor, where nothing is counted, and for a long period whose totals are far behind. */
  sums: StatementSums | null;
}

/**
 * Entries that a stream reads at a time: some 300 KB of text. A file that its client does not read has two or three of
 * these in memory.
 */
const STREAM_CHUNK = 1_000;

/**
 * How many transfers the totals may be behind: so many are read at either end, which takes some tens of milliseconds.
 */
const MOST_BEHIND = 20_000;

interface StatementAsked {
  period: StatementPeriod;
  /** What the caller asked for; a cursor is valid only for the same. */
  asked: readonly unknown[];
  since: Date | undefined;
  mostBehind?: number;
}

/**
 * One page, newest first, with the balance after each entry, read from the transfers. Opening balance, credits less
 * debits and closing balance add up, and the closing balance of a period is the opening balance of the next. Two
 * movements at the very edge of a period may be booked in another order than they were requested: then both belong to
 * the later one's period.
 */
export async function pageStatement(
  queries: Queries,
  tenant: Tenant,
  { period, asked, since, mostBehind = MOST_BEHIND }: StatementAsked,
  request: ListRequest,
): Promise<StatementPage> {
  const { range, ...balances } = await boundsOf(queries, tenant, period);
  const read =
    'cursor' in request ? undefined : await pageByTotals(queries, tenant, { range, asked, since, mostBehind }, request);
  if (read !== undefined) return { ...balances, ...read };
  const [sum] = 'cursor' in request ? [] : await queries.query(sumStatementEntries, countedOf(tenant, range));
  const list = statementList(tenant, range, { of: asked, since, counted: sum?.entries });
  const found = await readList(queries, list, request);
  if (sum === undefined || sum.entries > MAX_COUNTED) return { ...balances, found, sums: null };
  return { ...balances, found, sums: { creditsMinor: sum.credits_minor, debitsMinor: sum.debits_minor } };
}

/** Reads some hundred rows for any page of a period of any length; undefined where the totals are far behind. */
async function pageByTotals(
  queries: Queries,
  tenant: Tenant,
  { range, asked, since, mostBehind }: Omit<Required<StatementAsked>, 'period'> & { range: EntryRange },
  request: { page: number; size: number },
) {
  const newer = BigInt((request.page - 1) * request.size);
  const [place] = await queries.query(findStatementPlace, [...rangeValues(tenant, range), newer, BigInt(mostBehind)]);
  if (place === undefined) return undefined;
  const pageRange = { ...range, upToSequence: place.from_sequence };
  const list = statementList(tenant, pageRange, { of: asked, since, counted: undefined });
  const at = { ...request, counted: Number(place.entries), skipped: Number(place.skipped) };
  const found = await readListFrom(queries, list, at);
  return { found, sums: { creditsMinor: place.credits_minor, debitsMinor: place.debits_minor } };
}

const countedOf = (tenant: Tenant, range: EntryRange) => [...rangeValues(tenant, range), MAX_COUNTED + 1];

/**
 * Every entry of the period, oldest first, in constant memory, as the books were when the stream began: transfers never
 * change, and what is booked meanwhile has a higher sequence. No transaction is held open, however slowly the stream is
 * read.
 */
export async function* streamStatement(
  queries: Queries,
  tenant: Tenant,
  period: StatementPeriod,
): AsyncGenerator<StatementEntry[]> {
  let { range } = await boundsOf(queries, tenant, period);
  for (;;) {
    const entries = await queries.query(listStatementEntries, [...rangeValues(tenant, range), STREAM_CHUNK]);
    const last = entries.at(-1);
    if (last === undefined) return;
    yield entries;
    range = { ...range, afterSequence: last.sequence };
  }
}

async function boundsOf(
  queries: Queries,
  { merchantId, mode }: Tenant,
  { accountId, from, to }: StatementPeriod,
): Promise<StatementBalances & { range: EntryRange }> {
  const bounds = await queries.query(findStatementBounds, [merchantId, mode, accountId, [from, to]]);
  const at = (moment: Date) => bounds.find((bound) => bound.moment.getTime() === moment.getTime());
  const [opening, closing] = [at(from), at(to)];
  const range = { accountId, afterSequence: opening?.sequence ?? 0n, upToSequence: closing?.sequence ?? 0n };
  return { range, openingMinor: opening?.balance_minor ?? 0n, closingMinor: closing?.balance_minor ?? 0n };
}
