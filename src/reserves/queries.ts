import { movedBack, ofDueTenants, setInsert, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { PaymentChannel } from '../rails/index.ts';

/** One dated row of `reserve_rules`: how much of a payment in is kept, and for how long. */
export interface ReserveRule {
  id: string;
  /** Null: all merchants. */
  merchantId: string | null;
  mode: Mode;
  /** Null: all channels. */
  channel: PaymentChannel | null;
  /** Hundredths of a percent of the payment, before fee and VAT; 0 keeps nothing. */
  rateBasisPoints: number;
  /** From the day in Lagos of the credit to the day of the release. */
  days: number;
  effectiveFrom: Date;
  /** Who decided it, and why. */
  source: string;
}

/** SHA-256, hex, over a rule `r` as it was made. */
export const reserveRuleDigest = (r: string): string =>
  `encode(sha256(convert_to(json_build_array(${r}.id, ${r}.merchant_id, ${r}.mode, ${r}.channel, ${r}.rate_basis_points,
     ${r}.days, extract(epoch from ${r}.effective_from), ${r}.source, extract(epoch from ${r}.created_at))::text, 'UTF8')), 'hex')`;

/** All rules, past and future: the time of the credit decides which is in force. */
export const listReserveRules = statement<ReserveRule>(
  'list-reserve-rules',
  `select id, merchant_id as "merchantId", mode, channel, rate_basis_points as "rateBasisPoints", days,
          effective_from as "effectiveFrom", source
     from reserve_rules
    order by mode, merchant_id nulls first, channel nulls first, effective_from, id`,
);

/** $1 id, $2 merchant, $3 mode, $4 channel, $5 rate, $6 days, $7 from, $8 who and why, $9 now. */
export const insertReserveRule = statement(
  'insert-reserve-rule',
  `insert into reserve_rules (id, merchant_id, mode, channel, rate_basis_points, days, effective_from, source, created_at,
                              digest)
   select rule.*, ${reserveRuleDigest('rule')}
     from (values ($1::uuid, $2::uuid, $3::text, $4::text, $5::integer, $6::integer, $7::timestamptz, $8::text,
                   $9::timestamptz))
          as rule (id, merchant_id, mode, channel, rate_basis_points, days, effective_from, source, created_at)`,
);

export const RESERVE_STATUSES = ['KEPT', 'RELEASED'] as const;
export type ReserveStatus = (typeof RESERVE_STATUSES)[number];

/** What was kept of one payment. */
export interface ReserveRow {
  merchant_id: string;
  mode: Mode;
  payment_id: string;
  /** The wallet that it came from, and goes back to. */
  wallet_id: string;
  rule_id: string;
  amount_minor: bigint;
  kept_at: Date;
  /** A day in Lagos, `2026-11-20`. */
  release_on: string;
  /** Null: it was released. */
  due_at: Date | null;
  released_at: Date | null;
  /** The transaction that released it. */
  release_id: string | null;
}

export const insertReserves = setInsert<ReserveRow>('reserves', {
  merchant_id: 'uuid',
  mode: 'text',
  payment_id: 'uuid',
  wallet_id: 'uuid',
  rule_id: 'uuid',
  amount_minor: 'bigint',
  kept_at: 'timestamptz',
  release_on: 'date',
  due_at: 'timestamptz',
  released_at: 'timestamptz',
  release_id: 'uuid',
});

export const findReserve = statement<ReserveRow>(
  'find-reserve',
  'select * from reserves where merchant_id = $1 and mode = $2 and payment_id = $3',
);

/**
 * Due reserves of a mode $1 by $2, except those of the merchants $3: at most $4 of a merchant, its first ones first,
 * and $5 of all. It goes from merchant to merchant through the index of due rows.
 */
export const listDueReserves = ofDueTenants<ReserveRow>(
  'list-due-reserves',
  { table: 'reserves', condition: 'due_at is not null', now: '$2' },
  `select due.merchant_id, due.mode, due.payment_id, due.wallet_id, due.rule_id, due.amount_minor, due.kept_at,
          due.release_on, due.due_at, due.released_at, due.release_id
     from tenants
    cross join lateral (
      select r.*, row_number() over (order by r.due_at, r.payment_id) as place
        from reserves r
       where r.merchant_id = tenants.merchant_id and r.mode = tenants.mode and r.due_at is not null and r.due_at <= $2
       order by r.due_at, r.payment_id limit $4
    ) due
    where tenants.mode = $1 and tenants.merchant_id <> all ($3::uuid[])
    order by due.place, due.due_at limit $5`,
);

export const DUE_RESERVES = queue(listDueReserves, 'reserves', 'due_at is not null and due_at <= $1');

/** Of one merchant's payments $3, those that are not released yet. */
export const listKeptReserves = statement<ReserveRow>(
  'list-kept-reserves',
  `select r.*
     from unnest($3::uuid[]) as wanted (payment_id)
    cross join lateral (select * from reserves
                         where merchant_id = $1 and mode = $2 and payment_id = wanted.payment_id
                           and released_at is null offset 0) r
    order by r.payment_id`,
);

/** In the movement that brings them back. Its unique keys let that happen once to each. */
export const updateReservesReleased = setStatement<{
  merchant_id: string;
  mode: Mode;
  payment_id: string;
  released_at: Date;
  release_id: string;
}>(
  'update-reserves-released',
  { merchant_id: 'uuid', mode: 'text', payment_id: 'uuid', released_at: 'timestamptz', release_id: 'uuid' },
  `update reserves r
      set due_at = null, released_at = rows.released_at, release_id = rows.release_id
     from :rows
    where r.merchant_id = rows.merchant_id and r.mode = rows.mode and r.payment_id = rows.payment_id`,
);

/** Moves time forward in a sandbox: what is kept is released so much sooner. */
export const updateReservesAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-reserves-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update reserves r
      set due_at = ${movedBack('r.due_at', 'advance.seconds')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where r.merchant_id = advance.merchant_id and r.mode = advance.mode and r.due_at is not null`,
);

/** What comes back on one day. */
export interface ReleaseDayRow {
  release_on: string;
  payments: number;
  amount_minor: bigint;
}

/** What is kept of a merchant, by the day of its release: of the wallet $3, or of all where that is null. */
export const sumKeptReserves = statement<ReleaseDayRow>(
  'sum-kept-reserves',
  `select release_on, count(*)::int as payments, sum(amount_minor)::bigint as amount_minor
     from reserves
    where merchant_id = $1 and mode = $2 and released_at is null and ($3::uuid is null or wallet_id = $3)
    group by release_on order by release_on`,
);

/** What is kept of one merchant, in one mode. */
export interface MerchantReserveRow {
  merchant_id: string;
  mode: Mode;
  payments: number;
  amount_minor: bigint;
  next_release_on: string;
}

const MOST_KEPT: ListOrder<MerchantReserveRow> = {
  direction: 'desc',
  keys: [
    { sql: 'kept.amount_minor', type: 'bigint', of: ({ amount_minor }) => amount_minor },
    { sql: 'kept.merchant_id', type: 'uuid', of: ({ merchant_id }) => merchant_id },
    { sql: 'kept.mode', type: 'text', of: ({ mode }) => mode },
  ],
};

/**
 * What is kept of each merchant, those with the most first. One whose sum changes moves in the list, so a walk may meet it twice or
 * not at all. Across merchants, outside money transactions.
 */
export const keptList = (merchantId?: string): List<MerchantReserveRow> => ({
  name: 'kept-of-merchants',
  of: [merchantId],
  order: MOST_KEPT,
  columns: 'kept.merchant_id, kept.mode, kept.payments, kept.amount_minor, kept.next_release_on',
  from: `(
     select merchant_id, mode, count(*)::int as payments, sum(amount_minor)::bigint as amount_minor,
            min(release_on) as next_release_on
       from reserves
      where released_at is null${merchantId === undefined ? '' : ' and merchant_id = $1'}
      group by merchant_id, mode
   ) kept`,
  where: ['kept.amount_minor > 0'],
  values: merchantId === undefined ? [] : [merchantId],
});
