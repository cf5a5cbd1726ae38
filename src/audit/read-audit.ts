import type { Queries } from '../platform/db/database.ts';
import { MAX_COUNTED } from '../platform/http/counted-page.ts';
import { type AuditFilter, type AuditRow, countAuditEntries, listAuditEntries } from './queries.ts';

/** Entries written at once into a download. */
const PIECE = 1_000;

/** Deeds are looked up one by one: so many are counted as fast as all the entries of a long log. */
const MOST_DEEDS_COUNTED = 10_000;

/** Entries that match, newest first, one more than `limit` where there are more; the count stops behind `mostCounted`. */
export async function readAudit(
  queries: Queries,
  filter: AuditFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: AuditRow[]; mostCounted: number }> {
  const mostCounted = filter.once === true ? MOST_DEEDS_COUNTED : MAX_COUNTED;
  const counting = countAuditEntries(filter, mostCounted + 1);
  const listing = listAuditEntries(filter, offset, limit + 1);
  const [[count], rows] = await Promise.all([
    queries.query(counting.statement, counting.values),
    queries.query(listing.statement, listing.values),
  ]);
  return { total: count?.total ?? 0, rows, mostCounted };
}

/** All entries that match, newest first, in pieces, as fast as they are taken. */
export async function* streamAudit(queries: Queries, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  let before = filter.before;
  for (;;) {
    const { statement, values } = listAuditEntries({ ...filter, before }, 0, PIECE);
    const rows = await queries.query(statement, values);
    if (rows.length > 0) yield rows;
    before = rows.at(-1)?.id;
    if (rows.length < PIECE) return;
  }
}
