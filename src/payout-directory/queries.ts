import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** Each by its key: joined otherwise, a plan made for few rows would read all payouts for every event. */
const PAYOUT_OF = (id: string) => `join lateral (
       select * from payouts where merchant_id = $1 and mode = $2 and id = ${id} offset 0
     ) p on true
     join lateral (
       select * from transactions where merchant_id = $1 and mode = $2 and id = ${id} offset 0
     ) t on true`;

/** What a payout is found by, as it is now. $1 merchant, $2 mode, $3 payouts, each once. */
export const upsertDirectoryEntries = statement(
  'upsert-payout-directory',
  `insert into payout_directory as d
     (merchant_id, payout_id, mode, status, amount_minor, rail, account_number, session_id)
   select p.merchant_id, p.id, p.mode, t.status, t.amount_minor, p.rail, t.beneficiary_account_number, p.session_id
     from unnest($3::uuid[]) as wanted (id)
     ${PAYOUT_OF('wanted.id')}
   on conflict (merchant_id, payout_id) do update
      set status = excluded.status, amount_minor = excluded.amount_minor, rail = excluded.rail,
          account_number = excluded.account_number, session_id = excluded.session_id
    where (d.status, d.amount_minor, d.rail, d.account_number, d.session_id) is distinct from
          (excluded.status, excluded.amount_minor, excluded.rail, excluded.account_number, excluded.session_id)`,
);

/** Eight steps for every doubling: two durations of one step are at most nine percent apart. */
export const STEPS_A_DOUBLING = 8;

/**
 * What an event `e` with `type` and `at` counts as for the rail of its payout `p`, by the columns of `rail_daily_totals`;
 * the condition leaves out what no rail was ever asked for. Shared with the proof.
 */
export const RAIL_TOTAL = {
  day: `(e.at at time zone 'Africa/Lagos')::date`,
  outcome: `case e.type when 'payout.succeeded' then 'SUCCESS' when 'payout.failed' then 'FAILED' else 'REVERSED' end`,
  durationStep: `case when e.type = 'payout.reversed' then -1
    else floor(${STEPS_A_DOUBLING} * ln(greatest(extract(epoch from e.at - p.first_sent_at)::float8 * 1000, 1)) / ln(2::float8))::int
    end`,
  condition: 'p.first_sent_at is not null',
} as const;

/** $1 merchant, $2 mode, $3 payouts, $4 types of events, $5 when. In the order of the key: two workers never wait in a ring. */
export const addToRailTotals = statement(
  'add-to-rail-daily-totals',
  `insert into rail_daily_totals (day, mode, rail, outcome, duration_step, payouts, amount_minor)
   select ${RAIL_TOTAL.day}, p.mode, p.rail, ${RAIL_TOTAL.outcome}, ${RAIL_TOTAL.durationStep},
          count(*), sum(t.amount_minor)::bigint
     from unnest($3::uuid[], $4::text[], $5::timestamptz[]) as e (id, type, at)
     ${PAYOUT_OF('e.id')}
    where ${RAIL_TOTAL.condition}
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
   on conflict (day, mode, rail, outcome, duration_step) do update
      set payouts = rail_daily_totals.payouts + excluded.payouts,
          amount_minor = rail_daily_totals.amount_minor + excluded.amount_minor`,
);

export interface RailDayRow {
  mode: Mode;
  rail: string;
  /** A day in Lagos, `2026-11-20`. */
  day: string;
  outcome: 'SUCCESS' | 'FAILED' | 'REVERSED';
  payouts: bigint;
  amount_minor: bigint;
}

/** From the day `$1` on. */
export const listRailDays = statement<RailDayRow>(
  'list-rail-days',
  `select mode, rail, day::text as day, outcome, coalesce(sum(payouts), 0)::bigint as payouts,
          coalesce(sum(amount_minor), 0)::bigint as amount_minor
     from rail_daily_totals
    where day >= $1::date
    group by mode, rail, rail_daily_totals.day, outcome
    order by mode, rail, rail_daily_totals.day, outcome`,
);

export interface RailDurationRow {
  mode: Mode;
  rail: string;
  is_today: boolean;
  duration_step: number;
  payouts: bigint;
}

/** From the day `$1` on, what is of the day `$2` apart. */
export const listRailDurations = statement<RailDurationRow>(
  'list-rail-durations',
  `select mode, rail, day = $2::date as is_today, duration_step, coalesce(sum(payouts), 0)::bigint as payouts
     from rail_daily_totals
    where day >= $1::date and duration_step >= 0
    group by mode, rail, day = $2::date, duration_step
    order by mode, rail, is_today, duration_step`,
);
