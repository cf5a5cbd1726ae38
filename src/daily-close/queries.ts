import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';

export interface DailyCloseRow {
  id: string;
  mode: Mode;
  /** 2026-11-20 */
  day: string;
  version: number;
  /** JSON text: exactly what was signed. */
  figures: string;
  figures_digest: string;
  signed_by: string;
  signed_name: string;
  signed_at: Date;
  second_by: string | null;
  second_name: string | null;
  second_at: Date | null;
  reopened_by: string | null;
  reopened_name: string | null;
  reopened_at: Date | null;
  reopened_reason: string | null;
}

const CLOSE = (c: string): string =>
  `${c}.id, ${c}.mode, ${c}.day::text as day, ${c}.version, ${c}.figures, ${c}.figures_digest, ${c}.signed_by, ${c}.signed_name,
   ${c}.signed_at, ${c}.second_by, ${c}.second_name, ${c}.second_at, ${c}.reopened_by, ${c}.reopened_name, ${c}.reopened_at,
   ${c}.reopened_reason`;

/** SHA-256, hex, over all of a close. `second` and `reopened` are rows with what is new. */
export const closeDigest = (c: string, second: string = c, reopened: string = c): string =>
  `encode(sha256(convert_to(json_build_array(
     ${c}.id, ${c}.mode, ${c}.day, ${c}.version, ${c}.figures, ${c}.figures_digest, ${c}.signed_by, ${c}.signed_name,
     extract(epoch from ${c}.signed_at), ${second}.second_by, ${second}.second_name, extract(epoch from ${second}.second_at),
     ${reopened}.reopened_by, ${reopened}.reopened_name, extract(epoch from ${reopened}.reopened_at),
     ${reopened}.reopened_reason)::text, 'UTF8')), 'hex')`;

/** The next version of its day. No row comes back where the day has a close that counts. */
export const insertClose = statement<{ id: string }>(
  'insert-daily-close',
  `insert into daily_closes (id, mode, day, version, figures, figures_digest, signed_by, signed_name, signed_at, digest)
   select made.id, made.mode, made.day, made.version, made.figures, made.figures_digest, made.signed_by, made.signed_name,
          made.signed_at, ${closeDigest('made')}
     from (
       select $1::uuid as id, $2::text as mode, $3::date as day,
              (select count(*)::int from daily_closes b where b.mode = $2::text and b.day = $3::date) + 1 as version,
              $4::text as figures, $5::text as figures_digest, $6::uuid as signed_by, $7::text as signed_name,
              $8::timestamptz as signed_at, null::uuid as second_by, null::text as second_name,
              null::timestamptz as second_at, null::uuid as reopened_by, null::text as reopened_name,
              null::timestamptz as reopened_at, null::text as reopened_reason
     ) made
   on conflict do nothing
   returning id`,
);

/** $1 close, $2 who, $3 name, $4 when. Of two at once the second finds nothing. */
export const updateCloseSecond = statement<{ id: string }>(
  'update-daily-close-second',
  `update daily_closes c
      set second_by = s.second_by, second_name = s.second_name, second_at = s.second_at, digest = ${closeDigest('c', 's')}
     from (values ($2::uuid, $3::text, $4::timestamptz)) as s (second_by, second_name, second_at)
    where c.id = $1 and c.second_by is null and c.reopened_at is null
   returning c.id`,
);

/** $5 why. */
export const updateCloseReopened = statement<{ id: string }>(
  'update-daily-close-reopened',
  `update daily_closes c
      set reopened_by = r.reopened_by, reopened_name = r.reopened_name, reopened_at = r.reopened_at,
          reopened_reason = r.reopened_reason, digest = ${closeDigest('c', 'c', 'r')}
     from (values ($2::uuid, $3::text, $4::timestamptz, $5::text))
          as r (reopened_by, reopened_name, reopened_at, reopened_reason)
    where c.id = $1 and c.reopened_at is null
   returning c.id`,
);

export const findClose = statement<DailyCloseRow>(
  'find-daily-close',
  `select ${CLOSE('c')} from daily_closes c where c.id = $1`,
);

/** All versions of a day, the last one first. */
export const listClosesOfDay = statement<DailyCloseRow>(
  'list-daily-closes-of-day',
  `select ${CLOSE('c')} from daily_closes c where c.mode = $1 and c.day = $2::date order by c.version desc`,
);

const NEWEST: ListOrder<DailyCloseRow> = {
  direction: 'desc',
  keys: [
    { sql: 'c.day::text', type: 'text', of: ({ day }) => day },
    { sql: 'c.version', type: 'integer', of: ({ version }) => version },
    { sql: 'c.id', type: 'uuid', of: ({ id }) => id },
  ],
};

/** All closes, the last day first; of both modes where it is left out. */
export const closeList = (mode: Mode | undefined): List<DailyCloseRow> => ({
  name: 'daily-closes',
  of: [mode],
  order: NEWEST,
  columns: CLOSE('c'),
  from: (tail) => `(select * from daily_closes c ${tail}) c`,
  countFrom: 'daily_closes c',
  where: mode === undefined ? ['true'] : ['c.mode = $1'],
  values: mode === undefined ? [] : [mode],
});

/** Provider accounts, also those that are off: they may still owe. */
export const listProviderNames = statement<{ id: string; name: string }>(
  'list-names-of-provider-accounts',
  'select id, name from rail_accounts order by name',
);

export interface JournalAccountRow {
  kind: string;
  /** Empty: all of the kind. */
  rail: string;
  code: string;
  name: string;
}

export const listJournalAccounts = statement<JournalAccountRow>(
  'list-journal-accounts',
  'select kind, rail, code, name from journal_accounts order by kind, rail',
);

/** $5 who, $6 now. */
export const upsertJournalAccount = statement(
  'upsert-journal-account',
  `insert into journal_accounts (kind, rail, code, name, set_by, updated_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (kind, rail) do update
     set code = excluded.code, name = excluded.name, set_by = excluded.set_by, updated_at = excluded.updated_at`,
);
