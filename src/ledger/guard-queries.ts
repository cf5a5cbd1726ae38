import { among, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface ReservationRow {
  merchant_id: string;
  mode: Mode;
  scope: string;
  value: string;
  subject_id: string;
  reserved_at: Date;
}

/** Read under the lock of the books, which every writer of reservations takes first. */
export const findReservations = statement<ReservationRow>(
  'find-reservations',
  `select m.merchant_id, m.mode, m.scope, m.value, m.subject_id, m.reserved_at
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as wanted (merchant_id, mode, scope, value)
     join reservations m
       on m.merchant_id = wanted.merchant_id and m.mode = wanted.mode
      and m.scope = wanted.scope and m.value = wanted.value
    where ${among('m.merchant_id', 5)}`,
);

/** One row a reservation. */
export const insertReservations = setStatement<ReservationRow>(
  'upsert-reservations',
  {
    merchant_id: 'uuid',
    mode: 'text',
    scope: 'text',
    value: 'text',
    subject_id: 'uuid',
    reserved_at: 'timestamptz',
  },
  `insert into reservations (merchant_id, mode, scope, value, subject_id, reserved_at)
   select rows.merchant_id, rows.mode, rows.scope, rows.value, rows.subject_id, rows.reserved_at from :rows
   on conflict (merchant_id, mode, scope, value) do update
      set subject_id = excluded.subject_id, reserved_at = excluded.reserved_at`,
);

export const deleteReservations = setStatement<Pick<ReservationRow, 'merchant_id' | 'mode' | 'scope' | 'value'>>(
  'delete-reservations',
  { merchant_id: 'uuid', mode: 'text', scope: 'text', value: 'text' },
  `delete from reservations m
    using :rows
    where m.merchant_id = rows.merchant_id and m.mode = rows.mode and m.scope = rows.scope and m.value = rows.value`,
);

export interface LimitUsageRow {
  merchant_id: string;
  mode: Mode;
  scope: string;
  period: string;
  used_minor: bigint;
}

/** Read under the lock of the books, which every writer of limit usage takes first. */
export const findLimitUsages = statement<LimitUsageRow>(
  'find-limit-usage',
  `select a.merchant_id, a.mode, a.scope, a.period, a.used_minor
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as wanted (merchant_id, mode, scope, period)
     join limit_usage a
       on a.merchant_id = wanted.merchant_id and a.mode = wanted.mode
      and a.scope = wanted.scope and a.period = wanted.period
    where ${among('a.merchant_id', 5)}`,
);

/** One row for each limit, with what is used of it now. */
export const insertLimitUsages = setStatement<LimitUsageRow>(
  'upsert-limit-usage',
  { merchant_id: 'uuid', mode: 'text', scope: 'text', period: 'text', used_minor: 'bigint' },
  `insert into limit_usage (merchant_id, mode, scope, period, used_minor)
   select rows.merchant_id, rows.mode, rows.scope, rows.period, rows.used_minor from :rows
   on conflict (merchant_id, mode, scope, period) do update set used_minor = excluded.used_minor`,
);

/** SQL for a statement of another module: what is used of a limit. @param row a row with merchant_id and mode */
export const usedOfLimit = (row: string, scope: string, period: string): string =>
  `coalesce((select u.used_minor from limit_usage u
               where u.merchant_id = ${row}.merchant_id and u.mode = ${row}.mode and u.scope = '${scope}'
                 and u.period = ${period}), 0)`;
