import { statement } from '../../platform/db/statement.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { EndpointStatus } from '../endpoint-state.ts';

export interface FailingEndpointRow {
  merchant_id: string;
  mode: Mode;
  url: string;
  status: EndpointStatus;
  reason: string | null;
  failures_in_a_row: number;
  paused_until: Date | null;
  /** When the oldest telling that has not arrived was begun; null where none is open. */
  since: Date | null;
  waiting: number;
  last_at: Date | null;
  last_status_code: number | null;
  last_error: string | null;
}

const FAILING = `e.url <> '' and (e.failures_in_a_row > 0 or e.status = 'DISABLED')`;
/** Counting further says no more to whoever looks. */
const MAX_WAITING = 10_000;

/**
 * Addresses of all merchants that did not take what they were told, or were switched off by their receiver; what waits
 * longest first. Across merchants, outside money transactions.
 */
export const listFailingEndpoints = statement<FailingEndpointRow>(
  'list-failing-webhook-endpoints',
  `select e.merchant_id, e.mode, e.url, e.status, e.reason, e.failures_in_a_row, e.paused_until,
          oldest.created_at as since, waiting.deliveries as waiting,
          last.started_at as last_at, last.status_code as last_status_code, last.error as last_error
     from webhook_endpoints e
     left join lateral (
       select d.id, d.created_at, d.last_attempt_id from webhook_deliveries d
        where d.merchant_id = e.merchant_id and d.mode = e.mode and d.status = 'PENDING'
        order by d.sequence limit 1
     ) oldest on true
     left join webhook_attempts last
       on last.merchant_id = e.merchant_id and last.mode = e.mode and last.delivery_id = oldest.id
      and last.id = oldest.last_attempt_id
     cross join lateral (
       select count(*)::int as deliveries from (
         select 1 from webhook_deliveries d
          where d.merchant_id = e.merchant_id and d.mode = e.mode and d.status = 'PENDING'
          limit ${MAX_WAITING}
       ) counted
     ) waiting
    where ${FAILING}
    order by oldest.created_at nulls last, e.merchant_id, e.mode
    offset $1 limit $2`,
);

export const countFailingEndpoints = statement<{ total: number }>(
  'count-failing-webhook-endpoints',
  `select count(*)::int as total from webhook_endpoints e where ${FAILING}`,
);
