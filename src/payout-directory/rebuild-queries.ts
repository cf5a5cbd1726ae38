import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { RAIL_KEY, RAIL_TOTALS_READ } from './queries.ts';

/** Payouts of a tenant after `$3`; $4 how many. */
export const listPayoutsToRebuild = statement<{ id: string }>(
  'list-payouts-to-rebuild',
  `select id from payouts where merchant_id = $1 and mode = $2 and id > $3 order by id limit $4`,
);

/** Of the merchant `$1`, in either mode, after `$2` and up to `$3`, to the end where that is null: what is no payout. */
export const deleteStrayEntries = statement(
  'delete-stray-payout-directory',
  `delete from payout_directory d
    where d.merchant_id = $1 and d.payout_id > $2 and ($3::uuid is null or d.payout_id <= $3)
      and not exists (
        select from payouts p where p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payout_id
      )`,
);

export interface RailDifference {
  day: string;
  mode: Mode;
  rail: string;
  outcome: string;
  duration_step: number;
  /** What is to be added; less than nothing where too much was counted. */
  payouts: bigint;
  amount_minor: bigint;
  /** There is a row already. */
  is_there: boolean;
}

/** Rows that do not come to the events that were read, in the order of their key. */
export const listRailDifferences = statement<RailDifference>(
  'list-rail-differences',
  `select ${RAIL_KEY.map((name) => `coalesce(r.${name}, x.${name})${name === 'day' ? '::text' : ''} as ${name}`).join(', ')},
          coalesce(x.payouts, 0) - coalesce(r.payouts, 0) as payouts,
          coalesce(x.amount_minor, 0) - coalesce(r.amount_minor, 0) as amount_minor, r.day is not null as is_there
     from rail_daily_totals r
     full join (${RAIL_TOTALS_READ}) x on ${RAIL_KEY.map((name) => `x.${name} = r.${name}`).join(' and ')}
    where r.payouts is distinct from x.payouts or r.amount_minor is distinct from x.amount_minor
    order by 1, 2, 3, 4, 5`,
);

const THIS_ROW = 'day = $1::date and mode = $2 and rail = $3 and outcome = $4 and duration_step = $5';

/** Takes the row out where nothing would be left of it. */
export const deleteRailTotal = statement<{ rail: string }>(
  'delete-rail-daily-total',
  `delete from rail_daily_totals
    where ${THIS_ROW} and (payouts + $6::bigint <= 0 or amount_minor + $7::bigint <= 0)
   returning rail`,
);

export const addToRailTotal = statement(
  'update-rail-daily-total',
  `update rail_daily_totals set payouts = payouts + $6::bigint, amount_minor = amount_minor + $7::bigint
    where ${THIS_ROW}`,
);

/** The job may have begun the row meanwhile. */
export const insertRailTotal = statement(
  'insert-rail-daily-total',
  `insert into rail_daily_totals (${RAIL_KEY.join(', ')}, payouts, amount_minor)
   values ($1::date, $2, $3, $4, $5, $6, $7)
   on conflict (${RAIL_KEY.join(', ')}) do update
      set payouts = rail_daily_totals.payouts + excluded.payouts,
          amount_minor = rail_daily_totals.amount_minor + excluded.amount_minor`,
);
