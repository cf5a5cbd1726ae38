import type { FoundRequest } from './queries.ts';

export function requestView(row: FoundRequest) {
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
