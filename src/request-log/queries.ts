import { EVERY_TENANT } from '../ledger/index.ts';
import { setInsert, statement } from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';

export interface RequestRow {
  merchant_id: string;
  mode: Mode;
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
  idempotency_key: string | null;
  /** The answer was that of an earlier request; null from before this was noted. */
  replayed: boolean | null;
  /** What was made or changed: `transactionId` and its value. */
  about: string | null;
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
  idempotency_key: 'text',
  replayed: 'boolean',
  about: 'text',
});

export interface BodiesRow {
  merchant_id: string;
  mode: Mode;
  /** Of the request. */
  id: string;
  request_kept: string;
  request_body: string | null;
  request_bytes: number;
  answer_kept: string;
  answer_body: string | null;
  answer_bytes: number;
}

export const insertBodies = setInsert<BodiesRow>('request_log_bodies', {
  ...tenantKey,
  request_kept: 'text',
  request_body: 'json',
  request_bytes: 'integer',
  answer_kept: 'text',
  answer_body: 'json',
  answer_bytes: 'integer',
});

interface GapRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  at: Date;
  left_out: number;
}

export const insertGaps = setInsert<GapRow>('request_log_gaps', {
  ...tenantKey,
  at: 'timestamptz',
  left_out: 'integer',
});

/** A piece, through the primary key, merchant by merchant. $1 the first id that is kept, $2 how many at most. */
const tooOld = (table: string) =>
  `with deleted as (
     delete from ${table} where ctid = any (array(
       select r.place
         from merchants m cross join (values ('SANDBOX'), ('LIVE')) modes (mode)
        cross join lateral (
          select ctid as place from ${table}
           where merchant_id = m.id and mode = modes.mode and id < $1 order by id limit $2
        ) r
        limit $2
     ))
     returning 1
   )
   select count(*)::int as gone from deleted`;

/** The same where a place in a table says nothing: it is one on each shard. By the key this is half as fast. */
const tooOldOnShards = (table: string) =>
  `with old as materialized (
     select r.merchant_id, r.mode, r.id
       from ${EVERY_TENANT} b
      cross join lateral (
        select merchant_id, mode, id from ${table}
         where merchant_id = b.merchant_id and mode = b.mode and id < $1 order by id limit $2
      ) r
      limit $2
   ), deleted as (
     delete from ${table} t using old
      where t.merchant_id = old.merchant_id and t.mode = old.mode and t.id = old.id
     returning 1
   )
   select count(*)::int as gone from deleted`;

export const deleteOldRequests = statement<{ gone: number }>(
  'delete-old-requests',
  tooOld('request_log'),
  tooOldOnShards('request_log'),
);
export const deleteOldGaps = statement<{ gone: number }>(
  'delete-old-request-gaps',
  tooOld('request_log_gaps'),
  tooOldOnShards('request_log_gaps'),
);

/**
 * A piece of the bodies that have had their time, through the primary key, merchant by merchant. $1 the first id that is
 * kept for 0, 1, 2 and more days; $2 how many at most; $3 and $4 the days without a setting, in the sandbox and in live mode.
 */
export const deleteOldBodies = statement<{ gone: number }>(
  'delete-old-request-bodies',
  `with old as materialized (
     select b.merchant_id, b.mode, b.id
       from ${EVERY_TENANT} k
       left join request_log_settings s on s.merchant_id = k.merchant_id and s.mode = k.mode
      cross join lateral (
        select merchant_id, mode, id from request_log_bodies
         where merchant_id = k.merchant_id and mode = k.mode
           and id < ($1::uuid[])[1 + case when s.keeps_bodies then s.keep_days when not s.keeps_bodies then 0
                                          when k.mode = 'SANDBOX' then $3::integer else $4::integer end]
         order by id limit $2
      ) b
      limit $2
   ), deleted as (
     delete from request_log_bodies b using old
      where b.merchant_id = old.merchant_id and b.mode = old.mode and b.id = old.id
     returning 1
   )
   select count(*)::int as gone from deleted`,
);

export interface SettingsRow {
  merchant_id: string;
  mode: Mode;
  keeps_bodies: boolean;
  keep_days: number;
  updated_at: Date;
}

export const findBodySettings = statement<SettingsRow>(
  'find-request-log-settings',
  'select * from request_log_settings where merchant_id = $1 and mode = $2',
);

/** Of all merchants that ever chose: looks across them, outside money transactions. */
export const listBodySettings = statement<Pick<SettingsRow, 'merchant_id' | 'mode' | 'keeps_bodies'>>(
  'list-request-log-settings',
  'select merchant_id, mode, keeps_bodies from request_log_settings order by merchant_id, mode',
);

export const upsertBodySettings = statement(
  'upsert-request-log-settings',
  `insert into request_log_settings (merchant_id, mode, keeps_bodies, keep_days, updated_at) values ($1, $2, $3, $4, $5)
   on conflict (merchant_id, mode) do update
      set keeps_bodies = excluded.keeps_bodies, keep_days = excluded.keep_days, updated_at = excluded.updated_at`,
);

export interface RequestFilter {
  /** From and before: `400` and `500` are every refusal. */
  status?: readonly [number, number] | undefined;
  keyId?: string | undefined;
  method?: string | undefined;
  /** The pattern, `/branch/store/:storeId`. */
  route?: string | undefined;
  /** Empty: no code. */
  code?: string | undefined;
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
  const { status, keyId, method, route, code, from, to } = filter;
  const values: unknown[] = [merchantId, mode];
  const where = ['r.merchant_id = $1', 'r.mode = $2'];
  if (status !== undefined) {
    where.push(`r.status >= $${values.push(status[0])}`, `r.status < $${values.push(status[1])}`);
    // As the index of refusals has it: the planner does not look into a parameter for it.
    if (status[0] >= 400) where.push('r.status >= 400');
  }
  if (keyId !== undefined) where.push(`r.key_id = $${values.push(keyId)}`);
  if (method !== undefined) where.push(`r.method = $${values.push(method)}`);
  if (route !== undefined) where.push(`r.route = $${values.push(route)}`);
  if (code !== undefined) where.push(code === '' ? 'r.code is null' : `r.code = $${values.push(code)}`);
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
       select name, last_four from api_keys where merchant_id = $1 and id = r.key_id offset 0
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

export type RequestDetail = FoundRequest & {
  [K in keyof Omit<BodiesRow, 'merchant_id' | 'mode' | 'id'>]: BodiesRow[K] | null;
};

/** $3 as in `X-Request-Id`; of two under one, the newer. */
export const findRequest = statement<RequestDetail>(
  'find-request',
  `select r.*, k.name as key_name, k.last_four as key_last_four, b.request_kept, b.request_body, b.request_bytes,
          b.answer_kept, b.answer_body, b.answer_bytes
     from request_log r
     left join lateral (
       select name, last_four from api_keys where merchant_id = $1 and id = r.key_id offset 0
     ) k on true
     left join lateral (
       select * from request_log_bodies where merchant_id = $1 and mode = $2 and id = r.id offset 0
     ) b on true
    where r.merchant_id = $1 and r.mode = $2 and r.request_id = $3
    order by r.id desc limit 1`,
);
