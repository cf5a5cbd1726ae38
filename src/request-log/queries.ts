import { setInsert, statement } from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';

export interface RequestRow {
  merchant_id: string;
  mode: string;
  id: string;
  request_id: string;
  at: Date;
  method: string;
  /** The pattern, `/branch/store/:storeId`. */
  route: string;
  url: string;
  status: number;
  code: string | null;
  duration_ms: number;
  key_id: string;
  ip: string;
}

const tenantKey = { merchant_id: 'uuid', mode: 'text', id: 'uuid' } as const;

export const insertRequests = setInsert<RequestRow>('request_log', {
  ...tenantKey,
  request_id: 'text',
  at: 'timestamptz',
  method: 'text',
  route: 'text',
  url: 'text',
  status: 'integer',
  code: 'text',
  duration_ms: 'integer',
  key_id: 'uuid',
  ip: 'text',
});

interface GapRow {
  merchant_id: string;
  mode: string;
  id: string;
  at: Date;
  left_out: number;
}

export const insertGaps = setInsert<GapRow>('request_log_gaps', {
  ...tenantKey,
  at: 'timestamptz',
  left_out: 'integer',
});

/**
 * Through the primary key, merchant by merchant. $1 the first id that is kept. An hour of many goes at once, so only
 * their number comes back.
 */
const tooOld = (table: string) =>
  `with deleted as (
     delete from ${table} r
      using merchants m cross join (values ('SANDBOX'), ('LIVE')) modes (mode)
      where r.merchant_id = m.id and r.mode = modes.mode and r.id < $1
     returning 1
   )
   select count(*)::int as gone from deleted`;

export const deleteOldRequests = statement<{ gone: number }>('delete-old-requests', tooOld('request_log'));
export const deleteOldGaps = statement<{ gone: number }>('delete-old-request-gaps', tooOld('request_log_gaps'));

export interface RequestFilter {
  /** From and before: `400` and `500` are every refusal. */
  status?: readonly [number, number] | undefined;
  keyId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Requests wait a second to be written, or as long as the database takes for it. */
const LATE_MS = 60 * 60_000;

export type FoundRequest = RequestRow & { key_name: string | null; key_last_four: string | null };

const NEWEST: ListOrder<FoundRequest> = {
  direction: 'desc',
  keys: [{ sql: 'r.id', type: 'uuid', of: ({ id }) => id }],
};

/** Newest first, with the key that was used. */
export function requestList({ merchantId, mode }: Tenant, filter: RequestFilter): List<FoundRequest> {
  const { status, keyId, from, to } = filter;
  const values: unknown[] = [merchantId, mode];
  const where = ['r.merchant_id = $1', 'r.mode = $2'];
  if (status !== undefined) {
    where.push(`r.status >= $${values.push(status[0])}`, `r.status < $${values.push(status[1])}`);
    // As the index of refusals has it: the planner does not look into a parameter for it.
    if (status[0] >= 400) where.push('r.status >= 400');
  }
  if (keyId !== undefined) where.push(`r.key_id = $${values.push(keyId)}`);
  // An id is made when its row is written, after `at`: by the ids, the key leads to the period.
  if (from !== undefined) where.push(`r.at >= $${values.push(from)}`, `r.id >= $${values.push(firstIdOf(from))}`);
  if (to !== undefined) {
    const lastId = firstIdOf(new Date(to.getTime() + LATE_MS));
    where.push(`r.at < $${values.push(to)}`, `r.id < $${values.push(lastId)}`);
  }
  return {
    name: 'requests',
    of: [merchantId, mode, filter],
    order: NEWEST,
    columns: 'r.*, k.name as key_name, k.last_four as key_last_four',
    from: `request_log r
     left join lateral (
       select name, last_four from api_keys where merchant_id = r.merchant_id and id = r.key_id offset 0
     ) k on true`,
    countFrom: 'request_log r',
    where,
    values,
  };
}

/** $3 and $4: from and before; null is any. */
export const sumGaps = statement<{ left_out: number }>(
  'sum-request-gaps',
  `select coalesce(sum(g.left_out), 0)::int as left_out from request_log_gaps g
    where g.merchant_id = $1 and g.mode = $2
      and ($3::timestamptz is null or g.at >= $3) and ($4::timestamptz is null or g.at < $4)`,
);
