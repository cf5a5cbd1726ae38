import { setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';

export const SCHEDULES = ['OFF', 'DAILY', 'INSTANT'] as const;
export type Schedule = (typeof SCHEDULES)[number];

/** A version of a merchant's settings. */
export interface SettingsRow {
  merchant_id: string;
  mode: Mode;
  version: number;
  id: string;
  schedule: Schedule;
  minimum_minor: bigint;
  keep_minor: bigint;
  /** `08:00`, in Lagos. */
  time_of_day: string;
  changed_by: string;
  changed_at: Date;
}

/** SHA-256, hex, over a version `s` as it was made. */
export const settingsDigest = (s: string): string =>
  `encode(sha256(convert_to(json_build_array(${s}.merchant_id, ${s}.mode, ${s}.version, ${s}.id, ${s}.schedule,
     ${s}.minimum_minor, ${s}.keep_minor, ${s}.time_of_day, ${s}.changed_by, extract(epoch from ${s}.changed_at))::text, 'UTF8')), 'hex')`;

export const insertSettings = setStatement<SettingsRow>(
  'insert-merchant-settlement-settings',
  {
    merchant_id: 'uuid',
    mode: 'text',
    version: 'integer',
    id: 'uuid',
    schedule: 'text',
    minimum_minor: 'bigint',
    keep_minor: 'bigint',
    time_of_day: 'text',
    changed_by: 'text',
    changed_at: 'timestamptz',
  },
  `insert into merchant_settlement_settings (merchant_id, mode, version, id, schedule, minimum_minor, keep_minor, time_of_day,
     changed_by, changed_at, digest)
   select rows.*, ${settingsDigest('rows')} from :rows`,
);

export const findSettings = statement<SettingsRow>(
  'find-merchant-settlement-settings',
  `select merchant_id, mode, version, id, schedule, minimum_minor, keep_minor, time_of_day, changed_by, changed_at
     from merchant_settlement_settings where merchant_id = $1 and mode = $2 order by version desc limit 1`,
);

export interface ScheduleRow {
  merchant_id: string;
  mode: Mode;
  due_at: Date | null;
  cut_off: Date | null;
  /** `2026-11-26`, in Lagos. */
  business_day: string | null;
  /** How far the time of a sandbox was moved forward. */
  ahead_seconds: bigint;
  first_sequence: bigint;
  first_balance_minor: bigint;
  paused_reason: string | null;
  paused_since: Date | null;
  result: string | null;
  updated_at: Date;
}

const SCHEDULE = `merchant_id, mode, due_at, cut_off, business_day, ahead_seconds, first_sequence,
   first_balance_minor, paused_reason, paused_since, result, updated_at`;

export const findSchedule = statement<ScheduleRow>(
  'find-merchant-settlement-schedule',
  `select ${SCHEDULE} from merchant_settlement_schedules where merchant_id = $1 and mode = $2`,
);

/** When something is due next, and why the last turn made no settlement. */
export type NextTurn = Pick<ScheduleRow, 'due_at' | 'cut_off' | 'business_day'> & { result: string | null };

/** Only while this worker has the turn: a merchant that saves settings sets its next turn itself. */
export const updateSchedulesNext = setStatement<
  Pick<ScheduleRow, 'merchant_id' | 'mode' | 'updated_at'> & NextTurn & { leased_until: Date | null }
>(
  'update-merchant-settlement-schedules-next',
  {
    merchant_id: 'uuid',
    mode: 'text',
    due_at: 'timestamptz',
    cut_off: 'timestamptz',
    business_day: 'date',
    result: 'text',
    updated_at: 'timestamptz',
    leased_until: 'timestamptz',
  },
  `update merchant_settlement_schedules s
      set due_at = rows.due_at, cut_off = rows.cut_off, business_day = rows.business_day, result = rows.result,
          updated_at = rows.updated_at
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.due_at is not distinct from rows.leased_until`,
);

/** Of these turns, those that were lost: another worker has them, or settings were saved meanwhile. */
export const findLostTurns = setQuestion<
  Pick<ScheduleRow, 'merchant_id' | 'mode'> & { leased_until: Date },
  { place: number }
>(
  'find-lost-merchant-settlement-turns',
  { merchant_id: 'uuid', mode: 'text', leased_until: 'timestamptz' },
  `select rows.place::int as place
     from :rows
     left join merchant_settlement_schedules s
       on s.merchant_id = rows.merchant_id and s.mode = rows.mode
    where s.due_at is distinct from rows.leased_until`,
);

/** With new settings. The beginning of the first settlement does not change, nor does the time of a sandbox. */
export const upsertSchedules = setStatement<
  Pick<
    ScheduleRow,
    | 'merchant_id'
    | 'mode'
    | 'due_at'
    | 'cut_off'
    | 'business_day'
    | 'first_sequence'
    | 'first_balance_minor'
    | 'updated_at'
  >
>(
  'upsert-merchant-settlement-schedules',
  {
    merchant_id: 'uuid',
    mode: 'text',
    due_at: 'timestamptz',
    cut_off: 'timestamptz',
    business_day: 'date',
    first_sequence: 'bigint',
    first_balance_minor: 'bigint',
    updated_at: 'timestamptz',
  },
  `insert into merchant_settlement_schedules as s (merchant_id, mode, due_at, cut_off, business_day, first_sequence,
     first_balance_minor, updated_at, ahead_seconds)
   select distinct on (rows.merchant_id, rows.mode) rows.*, 0
     from :rows order by rows.merchant_id, rows.mode, rows.updated_at desc
   on conflict (merchant_id, mode) do update
      set due_at = excluded.due_at, cut_off = excluded.cut_off, business_day = excluded.business_day, result = null,
          updated_at = excluded.updated_at`,
);

export const updateSchedulesPaused = setStatement<
  Pick<ScheduleRow, 'merchant_id' | 'mode' | 'due_at' | 'paused_reason' | 'paused_since' | 'updated_at'>
>(
  'update-merchant-settlement-schedules-paused',
  {
    merchant_id: 'uuid',
    mode: 'text',
    due_at: 'timestamptz',
    paused_reason: 'text',
    paused_since: 'timestamptz',
    updated_at: 'timestamptz',
  },
  `update merchant_settlement_schedules s
      set due_at = rows.due_at, paused_reason = rows.paused_reason, paused_since = rows.paused_since, result = null,
          updated_at = rows.updated_at
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode`,
);

/** $1 mode, $2 now, $3 merchants to leave out, $4 how many. */
export const listDueSchedules = statement<ScheduleRow>(
  'list-due-merchant-settlement-schedules',
  `select ${SCHEDULE} from merchant_settlement_schedules
    where mode = $1 and due_at > '-infinity' and due_at <= $2 and not merchant_id = any ($3::uuid[])
    order by due_at limit $4`,
);

export const DUE_SCHEDULES = queue(listDueSchedules, 'merchant_settlement_schedules', 'due_at <= $1');

/** Leases a schedule until $4; no row where another worker has it. $3 is when it was due. */
export const leaseSchedule = statement<ScheduleRow>(
  'lease-merchant-settlement-schedule',
  `update merchant_settlement_schedules set due_at = $4 where merchant_id = $1 and mode = $2 and due_at = $3
   returning ${SCHEDULE}`,
);

type Advance = { merchant_id: string; mode: Mode; seconds: bigint; now: Date };
const advance = { merchant_id: 'uuid', mode: 'text', seconds: 'bigint', now: 'timestamptz' } as const;

/** Computed without a time zone, like `movedBack` and for the same reason. */
const earlier = (column: string): string =>
  `(${column} at time zone 'UTC' - make_interval(secs => moved.seconds)) at time zone 'UTC'`;

/**
 * Moves time forward in a sandbox. A cut-off that is skipped becomes now: what was booked until this moment was before
 * it. One that was reached stays, unless the turn of a later day is skipped as well.
 */
export const updateSchedulesAdvanced = setStatement<Advance>(
  'update-merchant-settlement-schedules-advanced',
  advance,
  `update merchant_settlement_schedules s
      set ahead_seconds = s.ahead_seconds + moved.seconds,
          due_at = ${earlier('s.due_at')},
          cut_off = case when s.cut_off > moved.now then greatest(${earlier('s.cut_off')}, moved.now)
                         when s.due_at - moved.now <= make_interval(secs => moved.seconds) - interval '1 day' then moved.now
                         else s.cut_off end
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::bigint as seconds, max(rows.now) as now
             from :rows group by rows.merchant_id, rows.mode) moved
    where s.merchant_id = moved.merchant_id and s.mode = moved.mode`,
);

export const updateSettlementsAdvanced = setStatement<Advance>(
  'update-merchant-settlements-advanced',
  advance,
  `update merchant_settlements s
      set due_at = ${earlier('s.due_at')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::bigint as seconds
             from :rows group by rows.merchant_id, rows.mode) moved
    where s.merchant_id = moved.merchant_id and s.mode = moved.mode and s.due_at is not null`,
);

/** A dated row of the operator's terms. */
export interface SettlementRule {
  id: string;
  /** Null: all merchants. */
  merchantId: string | null;
  mode: Mode;
  isEnabled: boolean;
  minimumMinor: bigint;
  windowSeconds: number;
  coolingOffSeconds: number;
  effectiveFrom: Date;
  /** Who decided it, and why. */
  source: string;
}

/** SHA-256, hex, over a rule `r` as it was made. */
export const settlementRuleDigest = (r: string): string =>
  `encode(sha256(convert_to(json_build_array(${r}.id, ${r}.merchant_id, ${r}.mode, ${r}.is_enabled,
     ${r}.minimum_minor, ${r}.window_seconds, ${r}.cooling_off_seconds, extract(epoch from ${r}.effective_from), ${r}.source,
     extract(epoch from ${r}.created_at))::text, 'UTF8')), 'hex')`;

export const listSettlementRules = statement<SettlementRule>(
  'list-merchant-settlement-rules',
  `select id, merchant_id as "merchantId", mode, is_enabled as "isEnabled", minimum_minor as "minimumMinor",
          window_seconds as "windowSeconds", cooling_off_seconds as "coolingOffSeconds", effective_from as "effectiveFrom", source
     from merchant_settlement_rules
    order by mode, merchant_id nulls first, effective_from, id`,
);

/** $1 id, $2 merchant, $3 mode, $4 enabled, $5 minimum, $6 window, $7 cooling-off, $8 from, $9 who and why, $10 now. */
export const insertSettlementRule = statement(
  'insert-merchant-settlement-rule',
  `insert into merchant_settlement_rules (id, merchant_id, mode, is_enabled, minimum_minor, window_seconds,
     cooling_off_seconds, effective_from, source, created_at, digest)
   select rule.*, ${settlementRuleDigest('rule')}
     from (values ($1::uuid, $2::uuid, $3::text, $4::boolean, $5::bigint, $6::integer, $7::integer, $8::timestamptz, $9::text,
                   $10::timestamptz))
          as rule (id, merchant_id, mode, is_enabled, minimum_minor, window_seconds, cooling_off_seconds, effective_from, source,
                   created_at)`,
);

export const HOLIDAY_CERTAINTIES = ['CERTAIN', 'EXPECTED'] as const;

export interface HolidayRow {
  id: string;
  /** `2026-12-25`. */
  day: string;
  name: string;
  certainty: (typeof HOLIDAY_CERTAINTIES)[number];
  source: string;
  set_by: string;
  set_at: Date;
  removed_by: string | null;
  removed_at: Date | null;
}

const HOLIDAY = 'id, day, name, certainty, source, set_by, set_at, removed_by, removed_at';

/** From a day on; $2 includes removed ones. */
export const listHolidays = statement<HolidayRow>(
  'list-bank-holidays',
  `select ${HOLIDAY} from bank_holidays where day >= $1::date and ($2::boolean or removed_at is null) order by day, set_at`,
);

/** No row comes back where the day is a holiday already. */
export const insertHoliday = statement<HolidayRow>(
  'insert-bank-holiday',
  `insert into bank_holidays (id, day, name, certainty, source, set_by, set_at)
   values ($1, $2::date, $3, $4, $5, $6, $7)
   on conflict (day) where removed_at is null do nothing
   returning ${HOLIDAY}`,
);

export const updateHolidayRemoved = statement<HolidayRow>(
  'update-bank-holiday-removed',
  `update bank_holidays set removed_by = $2, removed_at = $3 where id = $1 and removed_at is null returning ${HOLIDAY}`,
);
