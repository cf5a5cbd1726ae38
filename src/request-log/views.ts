import type { Database } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type FoundRequest, type RequestFilter, requestList, sumGaps } from './queries.ts';

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
  };
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
