import type { Queries } from '../platform/db/database.ts';
import type { AuditFilter, AuditRow } from './queries.ts';
import { everyEntry } from './read-audit.ts';
import { auditCsv } from './views.ts';

/** A log as CSV in pieces, the header first, also where nothing matches. `see` shows rows as whoever asks sees them. */
export async function* csvOfLog(
  queries: Queries,
  filter: AuditFilter,
  see: (rows: AuditRow[]) => Promise<Parameters<typeof auditCsv>[0]>,
): AsyncGenerator<string> {
  yield auditCsv([], { header: true });
  for await (const rows of everyEntry(queries, filter)) yield auditCsv(await see(rows), { header: false });
}
