import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { countStatementEntries, listStatementEntries, pageStatementEntries, type StatementEntry } from './queries.ts';

export interface StatementRange {
  accountId: string;
  from: Date;
  /** Exclusive. */
  to: Date;
}

export interface StatementPage {
  /** Entries of the range, counted up to `countUpTo`. */
  counted: number;
  entries: StatementEntry[];
}

/** Entries that a stream reads at a time. */
const STREAM_CHUNK = 5_000;

/** One page, newest first, with the balance after each entry: read from the transfers, never summed. */
export async function pageStatement(
  queries: Queries,
  tenant: Tenant,
  range: StatementRange,
  page: { offset: number; limit: number; countUpTo: number },
): Promise<StatementPage> {
  const bounds = [tenant.merchantId, tenant.mode, range.accountId, range.from, range.to];
  const [[count], entries] = await Promise.all([
    queries.query(countStatementEntries, [...bounds, page.countUpTo]),
    queries.query(pageStatementEntries, [...bounds, page.offset, page.limit]),
  ]);
  return { counted: count?.total ?? 0, entries };
}

/** Every entry of the range, oldest first, in constant memory. */
export async function* streamStatement(
  queries: Queries,
  tenant: Tenant,
  range: StatementRange,
): AsyncGenerator<StatementEntry[]> {
  let after = 0n;
  for (;;) {
    const bounds = [tenant.merchantId, tenant.mode, range.accountId, range.from, range.to];
    const entries = await queries.query(listStatementEntries, [...bounds, after, STREAM_CHUNK]);
    const last = entries.at(-1);
    if (last === undefined) return;
    yield entries;
    after = last.sequence;
  }
}
