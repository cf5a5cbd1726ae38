import { setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface CountRow {
  merchant_id: string;
  mode: Mode;
  /** How long the slot is: 5, which is kept for a day, or 60. */
  minutes: number;
  slot: Date;
  method: string;
  /** The pattern. */
  route: string;
  status: number;
  /** Empty: none. */
  code: string;
  /** Milliseconds: the step of the scale that it was within. */
  within_ms: number;
  requests: number;
}

const COLUMNS = 'merchant_id, mode, minutes, slot, method, route, status, code, within_ms';

/** Several processes add to the same rows, all in the same order. */
export const addCounts = setStatement<CountRow>(
  'add-request-counts',
  {
    merchant_id: 'uuid',
    mode: 'text',
    minutes: 'integer',
    slot: 'timestamptz',
    method: 'text',
    route: 'text',
    status: 'integer',
    code: 'text',
    within_ms: 'integer',
    requests: 'integer',
  },
  `insert into request_log_counts as c (${COLUMNS}, requests)
   select ${COLUMNS}, requests from :rows order by ${COLUMNS}
   on conflict (${COLUMNS}) do update set requests = c.requests + excluded.requests`,
);

export type CountedGroup = Pick<CountRow, 'method' | 'route' | 'status' | 'code' | 'within_ms' | 'requests'>;

/** Slots of each length in $3, from the moment beside it in $4 on and before that in $5. */
const OF_SLOTS = `from unnest($3::integer[], $4::timestamptz[], $5::timestamptz[]) as wanted (minutes, first, end_at)
     join request_log_counts c
       on c.merchant_id = $1 and c.mode = $2 and c.minutes = wanted.minutes and c.slot >= wanted.first and c.slot < wanted.end_at`;

export const sumCounts = statement<CountedGroup>(
  'sum-request-counts',
  `select method, route, status, code, within_ms, sum(requests)::int as requests
     ${OF_SLOTS}
    group by method, route, status, code, within_ms`,
);

export interface CountedBar {
  /** Seconds since 1970. */
  begins: number;
  requests: number;
  refused: number;
  failed: number;
}

/** The same slots; $6 the seconds of one bar. */
export const sumCountsByTime = statement<CountedBar>(
  'sum-request-counts-by-time',
  `select (floor(extract(epoch from slot) / $6::integer) * $6::integer)::int as begins, sum(requests)::int as requests,
          coalesce(sum(requests) filter (where status between 400 and 499), 0)::int as refused,
          coalesce(sum(requests) filter (where status >= 500), 0)::int as failed
     ${OF_SLOTS}
    group by 1`,
);

/** Through the primary key, merchant by merchant. $1 the first hour, and $2 the first five minutes, that are kept. */
export const deleteOldCounts = statement<{ gone: number }>(
  'delete-old-request-counts',
  `with deleted as (
     delete from request_log_counts c
      using merchants m cross join (values ('SANDBOX'), ('LIVE')) modes (mode)
      where c.merchant_id = m.id and c.mode = modes.mode
        and (c.minutes = 60 and c.slot < $1 or c.minutes = 5 and c.slot < $2)
     returning 1
   )
   select count(*)::int as gone from deleted`,
);
