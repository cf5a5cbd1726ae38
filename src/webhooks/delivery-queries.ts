import { EVERY_TENANT } from '../ledger/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { EndpointStatus } from './queries.ts';

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

/** No call comes by itself any more. */
export const isDeliveryEnded = (status: DeliveryStatus): boolean => status !== 'PENDING';

export type AttemptKind = 'SCHEDULED' | 'REPLAY';

const tenantKey = { merchant_id: 'uuid', mode: 'text' } as const;

export interface DeliveryRow {
  merchant_id: string;
  mode: Mode;
  /** The id of the event. */
  id: string;
  sequence: bigint;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  last_attempt_id: string;
  delivered_at: Date | null;
  created_at: Date;
}

export const insertDeliveries = setInsert<DeliveryRow>('webhook_deliveries', {
  ...tenantKey,
  id: 'uuid',
  sequence: 'bigint',
  type: 'text',
  status: 'text',
  attempts: 'integer',
  next_attempt_at: 'timestamptz',
  last_attempt_id: 'uuid',
  delivered_at: 'timestamptz',
  created_at: 'timestamptz',
});

export interface RepeatedDelivery extends Omit<DeliveryRow, 'sequence' | 'type' | 'created_at'> {
  /** The request for a replay that this call answered. A request that came since then stays. */
  replay_seen: Date | null;
}

export const updateDeliveriesRepeated = setStatement<RepeatedDelivery>(
  'update-webhook-deliveries-repeated',
  {
    ...tenantKey,
    id: 'uuid',
    status: 'text',
    attempts: 'integer',
    next_attempt_at: 'timestamptz',
    last_attempt_id: 'uuid',
    delivered_at: 'timestamptz',
    replay_seen: 'timestamptz',
  },
  `update webhook_deliveries d
      set status = rows.status, attempts = rows.attempts, next_attempt_at = rows.next_attempt_at,
          last_attempt_id = rows.last_attempt_id, delivered_at = rows.delivered_at,
          replay_at = case when d.replay_at is not distinct from rows.replay_seen then null else d.replay_at end
     from :rows
    where d.merchant_id = rows.merchant_id and d.mode = rows.mode and d.id = rows.id`,
);

export interface AttemptRow {
  merchant_id: string;
  mode: Mode;
  delivery_id: string;
  id: string;
  kind: AttemptKind;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  answer: string | null;
  error: string | null;
}

export const insertAttempts = setInsert<AttemptRow>('webhook_attempts', {
  ...tenantKey,
  delivery_id: 'uuid',
  id: 'uuid',
  kind: 'text',
  started_at: 'timestamptz',
  duration_ms: 'integer',
  status_code: 'integer',
  answer: 'text',
  error: 'text',
});

export type DueDelivery = Omit<DeliveryRow, 'created_at'> & { replay_at: Date | null };

const DUE = `merchant_id, mode, id, sequence, type, status, attempts, next_attempt_at, last_attempt_id, delivered_at,
          replay_at`;

/**
 * Deliveries whose time has come and those that somebody asked for again, the longest waiting first. It may name one
 * twice. $5 deliveries that are left alone for now.
 */
export const listDueDeliveries = statement<DueDelivery>(
  'list-due-webhook-deliveries',
  `(select ${DUE} from webhook_deliveries
     where merchant_id = $1 and mode = $2 and replay_at <= $3 and id <> all ($5::uuid[])
     order by replay_at limit $4)
   union all
   (select ${DUE} from webhook_deliveries
     where merchant_id = $1 and mode = $2 and next_attempt_at <= $3 and id <> all ($5::uuid[])
     order by next_attempt_at limit $4)`,
);

/** How many deliveries are due at $4 and were due before $3: those are called first. Counts up to $5; none for null. */
export const countDueBefore = statement<{ deliveries: number }>(
  'count-webhook-deliveries-due-before',
  `select count(*)::int as deliveries from (
     select 1 from webhook_deliveries
      where merchant_id = $1 and mode = $2 and next_attempt_at < $3::timestamptz and next_attempt_at <= $4
      limit $5
   ) due`,
);

export const updateDeliveryReplayed = statement(
  'update-webhook-delivery-replayed',
  'update webhook_deliveries set replay_at = $4 where merchant_id = $1 and mode = $2 and id = $3',
);

/**
 * Runs before the update of the delivery, because the worker takes the locks in this order. A person waits for the
 * replay, so the pause of the address ends.
 */
export const updateEndpointReplaying = statement(
  'update-webhook-endpoint-replaying',
  `update webhook_endpoints set retry_at = least(retry_at, $3), paused_until = null
    where merchant_id = $1 and mode = $2`,
);

/** A delivery with its last call. */
export interface DeliveryRecord {
  id: string;
  sequence: bigint;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  replay_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  answer: string | null;
  error: string | null;
}

const RECORD = `d.id, d.sequence, d.type, d.status, d.attempts, d.next_attempt_at, d.replay_at, d.delivered_at,
          d.created_at, a.started_at, a.duration_ms, a.status_code, a.answer, a.error`;
// Reads each last call by its key. With an ordinary join, a plan made for few rows would read all calls of the merchant
// for every delivery.
const WITH_LAST_ATTEMPT = `webhook_deliveries d
     join lateral (
       select started_at, duration_ms, status_code, answer, error from webhook_attempts
        where merchant_id = $1 and mode = $2 and delivery_id = d.id and id = d.last_attempt_id
       offset 0
     ) a on true`;

export const findDelivery = statement<DeliveryRecord>(
  'find-webhook-delivery',
  `select ${RECORD} from ${WITH_LAST_ATTEMPT} where d.merchant_id = $1 and d.mode = $2 and d.id = $3`,
);

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
}

const NEWEST: ListOrder<DeliveryRecord> = {
  direction: 'desc',
  keys: [{ sql: 'd.sequence', type: 'bigint', of: ({ sequence }) => sequence }],
};

/** Deliveries with their last calls, newest event first. */
export function deliveryList({ merchantId, mode }: Tenant, filter: DeliveryFilter): List<DeliveryRecord> {
  const { status, type } = filter;
  const values: unknown[] = [merchantId, mode];
  const where = ['d.merchant_id = $1', 'd.mode = $2'];
  // The status is one of our own words, so it stands in the text of the statement, where the planner sees it.
  if (status !== undefined) where.push(`d.status = '${status}'`);
  if (type !== undefined) where.push(`d.type = $${values.push(type)}`);
  return {
    name: 'webhook-deliveries',
    of: [merchantId, mode, filter],
    order: NEWEST,
    columns: RECORD,
    from: WITH_LAST_ATTEMPT,
    countFrom: 'webhook_deliveries d',
    where,
    values,
  };
}

/** Calls of one delivery, newest first: those of the schedule and of all replays. */
export const listAttempts = statement<AttemptRow>(
  'list-webhook-attempts',
  `select * from webhook_attempts where merchant_id = $1 and mode = $2 and delivery_id = $3
    order by id desc limit $4`,
);

export interface FailingEndpointRow {
  merchant_id: string;
  mode: Mode;
  url: string;
  status: EndpointStatus;
  reason: string | null;
  failures_in_a_row: number;
  paused_until: Date | null;
  /** When the oldest delivery that has not arrived was begun. Null where none is open. */
  since: Date | null;
  waiting: number;
  last_at: Date | null;
  last_status_code: number | null;
  last_error: string | null;
}

const FAILING = `e.url <> '' and (e.failures_in_a_row > 0 or e.status = 'DISABLED')`;
/** Counting stops here: a larger number tells a reader nothing more. */
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
 * Addresses of all merchants that did not take what was sent, or were switched off by their receiver; what waits
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

/**
 * A piece of the deliveries that have ended, or that no address waits for, with their calls, through the primary keys, merchant
 * by merchant. $1 the id of the first event whose delivery is kept, $2 how many at most. One that is asked for again meanwhile
 * keeps its calls.
 */
export const deleteOldDeliveries = statement<{ gone: number }>(
  'delete-old-webhook-deliveries',
  `with old as materialized (
     select d.merchant_id, d.mode, d.id, d.is_unwanted
       from ${EVERY_TENANT} b
       left join webhook_endpoints e on e.merchant_id = b.merchant_id and e.mode = b.mode
      cross join lateral (
        select merchant_id, mode, id, coalesce(e.url = '', false) as is_unwanted from webhook_deliveries
         where merchant_id = b.merchant_id and mode = b.mode and id < $1
           and (status <> 'PENDING' and replay_at is null or e.url = '')
         order by id limit $2
      ) d
      limit $2
   ), deleted as (
     delete from webhook_deliveries d using old
      where d.merchant_id = old.merchant_id and d.mode = old.mode and d.id = old.id
        and (d.status <> 'PENDING' and d.replay_at is null or old.is_unwanted)
     returning d.merchant_id, d.mode, d.id
   ), calls as (
     delete from webhook_attempts a using deleted
      where a.merchant_id = deleted.merchant_id and a.mode = deleted.mode and a.delivery_id = deleted.id
   )
   select count(*)::int as gone from deleted`,
);
