import type { List, ListOrder } from '../../platform/lists/list.ts';
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

const LONGEST_WAITING: ListOrder<FailingEndpointRow> = {
  direction: 'asc',
  keys: [
    { sql: `coalesce(oldest.created_at, 'infinity')`, type: 'timestamptz', of: ({ since }) => since },
    { sql: 'e.merchant_id', type: 'uuid', of: ({ merchant_id }) => merchant_id },
    { sql: 'e.mode', type: 'text', of: ({ mode }) => mode },
  ],
};

/**
 * Addresses of all merchants that did not take what they were told, or were switched off by their receiver; what waits
 * longest first. Where one takes what it waited for it moves back in the list, so it may be met twice, and never missed.
 * Across merchants, outside money transactions.
 */
export const failingList: List<FailingEndpointRow> = {
  name: 'failing-webhook-endpoints',
  of: [],
  order: LONGEST_WAITING,
  columns: `e.merchant_id, e.mode, e.url, e.status, e.reason, e.failures_in_a_row, e.paused_until,
          oldest.created_at as since, waiting.deliveries as waiting,
          last.started_at as last_at, last.status_code as last_status_code, last.error as last_error`,
  from: `webhook_endpoints e
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
     ) waiting`,
  countFrom: 'webhook_endpoints e',
  where: [FAILING],
  values: [],
};
