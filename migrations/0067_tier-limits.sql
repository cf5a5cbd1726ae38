-- What a merchant may hold, take in and pay out by its tier of verification: dated data of the operator, and dated tiers of merchants.

create table tier_limits (
  id uuid not null,
  tier text not null,
  mode text not null,
  single_in_minor bigint,
  daily_in_minor bigint,
  balance_minor bigint,
  single_out_minor bigint,
  daily_out_minor bigint,
  effective_from timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  constraint tier_limits_pk primary key (id),
  constraint tier_limits_tier check (tier in ('TIER_1', 'TIER_2', 'TIER_3')),
  constraint tier_limits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint tier_limits_amounts check (single_in_minor > 0 and daily_in_minor > 0 and balance_minor > 0
    and single_out_minor > 0 and daily_out_minor > 0)
);
comment on table tier_limits is
  'What merchants of a tier may do, as dated rows: of several of one tier and mode the one that began last counts. Null is no limit.';
comment on column tier_limits.balance_minor is 'Of all wallets of a merchant together.';
comment on column tier_limits.daily_in_minor is 'A day begins at midnight in Lagos, here and for what goes out.';
comment on column tier_limits.source is 'Which rule or circular says so, and who set it.';

create table merchant_tiers (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  tier text,
  reason text not null,
  set_by text not null,
  set_at timestamptz not null,
  constraint merchant_tiers_pk primary key (merchant_id, mode, id),
  constraint merchant_tiers_tier check (tier in ('TIER_1', 'TIER_2', 'TIER_3')),
  constraint merchant_tiers_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table merchant_tiers is
  'The tier of a merchant as dated rows; the last one counts. Null, as without any row: no limit of a tier.';

create table report_thresholds (
  id uuid not null,
  individual_minor bigint not null,
  corporate_minor bigint not null,
  effective_from timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  constraint report_thresholds_pk primary key (id),
  constraint report_thresholds_amounts check (individual_minor > 0 and corporate_minor > 0)
);
comment on table report_thresholds is
  'From which amount on a transaction stands in the list of large ones, as dated rows: the one that began last counts.';

alter table payouts validate constraint payouts_operator_reason;
