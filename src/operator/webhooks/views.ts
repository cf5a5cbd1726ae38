import type { FailingEndpointRow } from '../../webhooks/index.ts';

export function failingEndpointView(row: FailingEndpointRow, names: ReadonlyMap<string, string>) {
  return {
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    url: row.url.split('?', 1).join(''),
    status: row.status,
    reason: row.reason,
    failuresInARow: row.failures_in_a_row,
    waiting: row.waiting,
    since: row.since?.toISOString() ?? null,
    pausedUntil: row.paused_until?.toISOString() ?? null,
    lastCall:
      row.last_at === null
        ? null
        : { at: row.last_at.toISOString(), statusCode: row.last_status_code, error: row.last_error },
  };
}
