import { type EventRow, findEvents, listEvents, readEventSequence } from '../ledger/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { rowsBeyond } from '../platform/lists/queries.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import { isFar, lookThrough } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import { readBodySettings } from './forget-requests.ts';
import {
  type FoundRequest,
  findRequest,
  type RequestDetail,
  type RequestFilter,
  requestList,
  sumGaps,
} from './queries.ts';

const requestNotFound = () =>
  new AppError('not_found', 'REQUEST_NOT_FOUND', 'There is no request with this id in the log. It is kept for a week.');

/** Places of the log that are looked at in one go: five goes find a moment among a million events. */
const PROBES = 15n;
/** Events that are looked through for those of one request, and those that are named. */
const MAX_LOOKED_AT = 1_000;
const MAX_NAMED = 20;
/** A movement takes its time before it commits: events stand in the order of commits, their times nearly so. */
const APART_MS = 5_000;

/** The events that one request caused, by its time: no index leads from a request to them, for every transfer would pay it. */
async function eventsOfRequest(
  queries: Queries,
  tenant: Tenant,
  request: { requestId: string; begun: Date; ended: Date },
): Promise<EventRow[]> {
  const from = request.begun.getTime() - APART_MS;
  const until = request.ended.getTime() + APART_MS;
  const after = await lastBefore(queries, tenant, from);
  const { events } = await listEvents(queries, tenant, { after, limit: MAX_LOOKED_AT });
  return events
    .filter(({ request_id, created_at }) => request_id === request.requestId && created_at.getTime() <= until)
    .slice(0, MAX_NAMED);
}

/** The sequence of the last event before a moment; 0 where there is none. */
async function lastBefore(queries: Queries, tenant: Tenant, moment: number): Promise<bigint> {
  let before = 0n;
  let end = (await readEventSequence(queries, tenant)) + 1n;
  while (end - before > 1n) {
    const step = (end - before) / (PROBES + 1n) + 1n;
    const places: bigint[] = [];
    for (let place = before + step; place < end; place += step) places.push(place);
    if (places.length === 0) places.push(before + 1n);
    for (const { sequence, created_at } of await findEvents(queries, tenant, places)) {
      if (created_at.getTime() < moment) before = sequence;
      else {
        end = sequence;
        break;
      }
    }
  }
  return before;
}

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
 * @throws AppError 404 `REQUEST_NOT_FOUND`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readRequest(
  deps: ReadRequestDeps,
  tenant: Tenant,
  requestId: string,
  filter: RequestFilter,
  gone: AbortSignal | undefined,
) {
  const { database, meaningOf } = deps;
  const [row] = await database.query(findRequest, [tenant.merchantId, tenant.mode, requestId]);
  if (row === undefined) throw requestNotFound();
  const ended = row.at;
  const begun = new Date(ended.getTime() - row.duration_ms);
  const [newer, older, { keepBodies }, events] = await Promise.all([
    neighbour(database, tenant, filter, { id: row.id, direction: 'before', gone }),
    neighbour(database, tenant, filter, { id: row.id, direction: 'after', gone }),
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
  { id, direction, gone }: { id: string; direction: 'after' | 'before'; gone: AbortSignal | undefined },
): Promise<string | null> {
  const { statement, values } = rowsBeyond(requestList(tenant, filter), { direction, key: [id], limit: 1 });
  const ask = (queries: Queries) => queries.query(statement, [...values]);
  const [row] = await (looksThrough(filter)
    ? lookThrough(database, { owner: tenant.merchantId, gone }, ask)
    : ask(database));
  return row?.request_id ?? null;
}

/** A period is found by the ids; of what else a filter says no index answers all, and a week may be looked through. */
const looksThrough = ({ from: _from, to: _to, ...others }: RequestFilter): boolean =>
  Object.values(others).some((one) => one !== undefined);

/**
 * What a tenant's programs asked, newest first, and how many requests of the period are not in the log, of one moment.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readRequests(
  database: Pick<Database, 'reading'>,
  tenant: Tenant,
  filter: RequestFilter,
  request: ListRequest,
) {
  const period = [filter.from ?? null, filter.to ?? null];
  const read = (queries: Queries) =>
    Promise.all([
      readList(queries, requestList(tenant, filter), request),
      queries.query(sumGaps, [tenant.merchantId, tenant.mode, ...period]),
    ]);
  const [found, [gaps]] = await (looksThrough(filter) || isFar(request)
    ? lookThrough(database, { owner: tenant.merchantId, gone: request.gone }, read)
    : database.reading.snapshot(read));
  return { ...listView(found, requestView), leftOut: gaps?.left_out ?? 0 };
}
