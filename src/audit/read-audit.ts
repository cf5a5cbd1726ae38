import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { everyRow, type FoundList, readList } from '../platform/lists/read-list.ts';
import { type AuditFilter, type AuditRow, auditList } from './queries.ts';

/** Entries written at once into a download. */
const PIECE = 1_000;

/** Entries that match, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readAudit(queries: Queries, filter: AuditFilter, request: ListRequest): Promise<FoundList<AuditRow>> {
  return readList(queries, auditList(filter), request);
}

/** All entries that match, newest first, in pieces. */
export function everyEntry(queries: Queries, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  return everyRow(queries, auditList(filter), PIECE);
}
