import type { Database } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { rowsBeyond } from '../platform/lists/queries.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { readBodySettings } from './body-settings.ts';
import { requestNotFound } from './errors.ts';
import {
  type FoundRequest,
  findRequest,
  type RequestDetail,
  type RequestFilter,
  requestList,
  sumGaps,
} from './queries.ts';
import { eventsOfRequest } from './related-events.ts';

function requestView(row: FoundRequest) {
  return {
    requestId: row.request_id,
    at: row.at.toISOString(),
    method: row.method,
    path: row.route,
    url: row.url,
    status: row.status,
    code: row.code,
    durationMs: row.duration_ms,
    keyId: row.key_id,
    // A key that the operator's terminal made may have no name.
    keyName: row.key_name === '' ? null : row.key_name,
    keyLastFour: row.key_last_four,
    ip: row.ip,
    idempotencyKey: row.idempotency_key,
    replayed: row.replayed === true,
    about: aboutView(row.about),
  };
}

function aboutView(about: string | null) {
  const [field = '', id] = about?.split(' ') ?? [];
  return id === undefined ? null : { field, id };
}

/** Null where no bodies are kept of the request. */
function bodiesView(row: RequestDetail) {
  const { request_kept, request_body, request_bytes, answer_kept, answer_body, answer_bytes } = row;
  if (request_kept === null || answer_kept === null) return null;
  return {
    request: { kept: request_kept, text: request_body, bytes: request_bytes ?? 0 },
    answer: { kept: answer_kept, text: answer_body, bytes: answer_bytes ?? 0 },
  };
}

export interface ReadRequestDeps {
  database: Database;
  /** What the catalogue of errors says of a code. */
  meaningOf(code: string): string | undefined;
}

/**
 * One request with its bodies, where they are kept, the events that it caused, and its neighbours in the list of `filter`.
 * @throws AppError 404 `REQUEST_NOT_FOUND`
 */
export async function readRequest(deps: ReadRequestDeps, tenant: Tenant, requestId: string, filter: RequestFilter) {
  const { database, meaningOf } = deps;
  const [row] = await database.query(findRequest, [tenant.merchantId, tenant.mode, requestId]);
  if (row === undefined) throw requestNotFound();
  const ended = row.at;
  const begun = new Date(ended.getTime() - row.duration_ms);
  const [newer, older, { keepBodies }, events] = await Promise.all([
    neighbour(database, tenant, filter, { id: row.id, direction: 'before' }),
    neighbour(database, tenant, filter, { id: row.id, direction: 'after' }),
    readBodySettings(deps, tenant),
    row.method === 'GET' ? [] : eventsOfRequest(database, tenant, { requestId, begun, ended }),
  ]);
  return {
    ...requestView(row),
    meaning: row.code === null ? null : (meaningOf(row.code) ?? null),
    // Switched off, they are gone at once; a worker removes them within a minute.
    bodies: keepBodies ? bodiesView(row) : null,
    events: events.map(({ id, sequence, type }) => ({ eventId: id, sequence: Number(sequence), type })),
    newer,
    older,
  };
}

async function neighbour(
  database: Database,
  tenant: Tenant,
  filter: RequestFilter,
  { id, direction }: { id: string; direction: 'after' | 'before' },
): Promise<string | null> {
  const { statement, values } = rowsBeyond(requestList(tenant, filter), { direction, key: [id], limit: 1 });
  const [row] = await database.query(statement, [...values]);
  return row?.request_id ?? null;
}

/**
 * What a tenant's programs asked, newest first, and how many requests of the period are not in the log, of one moment.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readRequests(database: Database, tenant: Tenant, filter: RequestFilter, request: ListRequest) {
  const period = [filter.from ?? null, filter.to ?? null];
  const [found, [gaps]] = await database.snapshot((queries) =>
    Promise.all([
      readList(queries, requestList(tenant, filter), request),
      queries.query(sumGaps, [tenant.merchantId, tenant.mode, ...period]),
    ]),
  );
  return { ...listView(found, requestView), leftOut: gaps?.left_out ?? 0 };
}
