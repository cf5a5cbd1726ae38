import { eventsRead } from '../ledger/index.ts';
import type { OperatorReason } from '../payouts/index.ts';
import { type Asked, composed, statement } from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { TransactionStatus } from '../transactions/index.ts';

/** By these a rail has ended a payout, or taken its end back. */
export const ENDS = ['payout.succeeded', 'payout.failed', 'payout.reversed'];

/** The name of its cursors. */
export const READER = 'payout-directory';

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
 * the condition leaves out what no rail was ever asked for.
 */
const RAIL_TOTAL = {
  day: `(e.at at time zone 'Africa/Lagos')::date`,
  outcome: `case e.type when 'payout.succeeded' then 'SUCCESS' when 'payout.failed' then 'FAILED' else 'REVERSED' end`,
  durationStep: `case when e.type = 'payout.reversed' then -1
    else floor(${STEPS_A_DOUBLING} * ln(greatest(extract(epoch from e.at - p.first_sent_at)::float8 * 1000, 1)) / ln(2::float8))::int
    end`,
  condition: 'p.first_sent_at is not null',
} as const;

export const RAIL_KEY = ['day', 'mode', 'rail', 'outcome', 'duration_step'] as const;

/** What the rows come to by the events that were read, of all merchants. Shared with the proof. */
export const RAIL_TOTALS_READ = `select ${RAIL_TOTAL.day} as day, p.mode, p.rail, ${RAIL_TOTAL.outcome} as outcome,
              ${RAIL_TOTAL.durationStep} as duration_step, count(*) as payouts, sum(t.amount_minor)::bigint as amount_minor
         from (${eventsRead(READER, ENDS)}) e
         join payouts p on p.merchant_id = e.merchant_id and p.mode = e.mode and p.id = e.subject_id
         join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
        where ${RAIL_TOTAL.condition}
        group by 1, 2, 3, 4, 5`;

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

/** A payout as an operator's list shows it, as it is now. */
export interface FoundPayoutRow {
  merchant_id: string;
  payout_id: string;
  mode: Mode;
  status: TransactionStatus;
  reason: string | null;
  operator_reason: OperatorReason | null;
  amount_minor: bigint;
  client_reference: string | null;
  rail: string;
  rail_reference: string;
  session_id: string | null;
  beneficiary_account_number: string;
  beneficiary_account_name: string;
  beneficiary_bank_name: string;
  created_at: Date;
  first_sent_at: Date | null;
  updated_at: Date;
}

export interface PayoutSearch {
  payoutId?: string | undefined;
  sessionId?: string | undefined;
  accountNumber?: string | undefined;
  merchantId?: string | undefined;
  mode?: Mode | undefined;
  /** `UNKNOWN`: it was sent, and nobody knows what became of it. */
  status?: TransactionStatus | 'UNKNOWN' | undefined;
  rail?: string | undefined;
  amountMinor?: bigint | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** True of every row. Only who names it may use the index of all, newest first. */
const OF_ALL = `d.payout_id > '00000000-0000-0000-0000-000000000000'`;
/** A payout that fails over has another rail before its next event: until it has ended its own row says which rail has it. */
const OPEN = `d.status in ('QUEUED', 'PROCESSING')`;
const UNKNOWN = `t.status = 'PROCESSING' and (t.reason = 'OUTCOME_UNKNOWN' or p.operator_reason is not null)`;

interface Conditions {
  /** Of the index that the search goes by. */
  driving: string[];
  /** Over the rows that this index finds, written so that no other index is taken for them. */
  filters: string[];
  values: unknown[];
  /** Values that `driving` has. */
  drivingValues: number;
}

/** The first that is given of these decides the index: each finds fewer than those after it. */
function conditionsOf(search: PayoutSearch): Conditions {
  const { mode, rail, amountMinor, from, to } = search;
  // An unknown outcome stands in the directory as what it is besides.
  const status = search.status === 'UNKNOWN' ? 'PROCESSING' : search.status;
  const given: [column: string, type: string, value: unknown][] = [
    ['d.payout_id', 'uuid', search.payoutId],
    ['d.session_id', 'text', search.sessionId],
    ['d.account_number', 'text', search.accountNumber],
    ['d.merchant_id', 'uuid', search.merchantId],
    ['d.status', 'text', status === 'SUCCESS' ? undefined : status],
  ];
  const driver = given.find(([, , value]) => value !== undefined);
  const values: unknown[] = [];
  const place = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const driving =
    driver === undefined
      ? [OF_ALL]
      : driver[0] === 'd.status'
        ? // A word of ours, so it stands in the text, where the planner sees which index has it.
          [`d.status = '${status}'`]
        : [`${driver[0]} = ${place(driver[2], driver[1])}`, ...(driver[0] === 'd.payout_id' ? [OF_ALL] : [])];
  if (from !== undefined) driving.push(`d.payout_id >= ${place(firstIdOf(from), 'uuid')}`);
  if (to !== undefined) driving.push(`d.payout_id < ${place(firstIdOf(to), 'uuid')}`);
  const drivingValues = values.length;
  const others: typeof given = [
    ...given.slice(0, 4),
    ['d.status', 'text', status],
    ['d.mode', 'text', mode],
    ['d.amount_minor', 'bigint', amountMinor],
  ];
  const filters = others
    .filter(([column, , value]) => value !== undefined && column !== driver?.[0])
    .map(([column, type, value]) => `${column} is not distinct from ${place(value, type)}`);
  if (rail !== undefined) {
    const at = place(rail, 'text');
    filters.push(`(d.rail = ${at} or ${OPEN})`, `case when ${OPEN} then p.rail else d.rail end = ${at}`);
  }
  if (search.status === 'UNKNOWN') filters.push(UNKNOWN);
  return { driving, filters, values, drivingValues };
}

/** Each by its key: it never decides in which order payouts are read. */
const WITH_PAYOUT = `payout_directory d
     join lateral (
       select * from transactions t where t.merchant_id = d.merchant_id and t.mode = d.mode and t.id = d.payout_id offset 0
     ) t on true
     join lateral (
       select * from payouts p where p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payout_id offset 0
     ) p on true`;

const NEWEST: ListOrder<FoundPayoutRow> = {
  direction: 'desc',
  keys: [{ sql: 'd.payout_id', type: 'uuid', of: ({ payout_id }) => payout_id }],
};

/**
 * Payouts of all merchants, newest first.
 * @param since how far back a search looks whose filters no index has
 */
export function foundPayoutList(search: PayoutSearch, since: Date | undefined): List<FoundPayoutRow> {
  const { driving, filters, values } = conditionsOf(search);
  const bound = since === undefined ? [] : [`d.payout_id >= $${values.push(firstIdOf(since))}::uuid`];
  return {
    name: 'payouts-of-all-merchants',
    of: [search],
    order: NEWEST,
    since,
    columns: `d.merchant_id, d.payout_id, d.mode, t.status, t.reason, p.operator_reason, t.amount_minor, t.client_reference,
      p.rail, p.rail_reference, p.session_id, t.beneficiary_account_number, t.beneficiary_account_name,
      t.beneficiary_bank_name, t.created_at, p.first_sent_at, t.updated_at`,
    from: WITH_PAYOUT,
    ...(search.status === 'UNKNOWN' || search.rail !== undefined ? {} : { countFrom: 'payout_directory d' }),
    where: [...driving, ...bound, ...filters],
    values,
  };
}

/** The payout that is so many rows behind the newest, by the index of the search; undefined where the search has no filter. */
export function depthOf(search: PayoutSearch, rows: number): Asked<{ payout_id: string }> | undefined {
  const { driving, filters, values, drivingValues } = conditionsOf(search);
  if (filters.length === 0) return undefined;
  const text = `select d.payout_id from payout_directory d
    where ${driving.join(' and ')} order by d.payout_id desc offset $${drivingValues + 1} limit 1`;
  return composed('find-depth-of-payouts', text, [...values.slice(0, drivingValues), rows]);
}

interface Whereabouts {
  merchant_id: string;
  mode: Mode;
}

export const findInDirectory = statement<Whereabouts>(
  'find-payout-in-directory',
  `select d.merchant_id, d.mode from payout_directory d where d.payout_id = $1 and ${OF_ALL}`,
);

/** The directory is seconds behind: the key of every merchant is tried, which costs as much as there are merchants. */
export const findPayoutOfAnybody = statement<Whereabouts>(
  'find-payout-of-anybody',
  `select p.merchant_id, p.mode
     from merchants m
     join payouts p on p.merchant_id = m.id and p.mode in ('LIVE', 'SANDBOX') and p.id = $1
    limit 1`,
);

/** The payout under way that was sent longest ago, of those that were asked for first. $1 of how many. */
export const findOldestOpen = statement<
  Whereabouts & { id: string; first_sent_at: Date | null; rail: string; amount_minor: bigint }
>(
  'find-oldest-open-payout',
  `select d.merchant_id, d.mode, d.payout_id as id, p.first_sent_at, p.rail, t.amount_minor
     from (select * from payout_directory d where d.status = 'PROCESSING' order by d.payout_id limit $1) d
     join transactions t on t.merchant_id = d.merchant_id and t.mode = d.mode and t.id = d.payout_id
     join payouts p on p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payout_id
    where t.status = 'PROCESSING' and p.first_sent_at is not null
    order by p.first_sent_at limit 1`,
);
