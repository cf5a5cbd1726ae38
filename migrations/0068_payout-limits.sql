-- How much a merchant may pay out is the operator's to say and changes on a date, so limits are dated rows.
--
-- A row applies to payouts from effective_from up to, but not at, effective_to: a merchant's own row before the one for
-- all merchants, and of several the one that began last. Null is no limit; a window of zero seconds is no guard. A day
-- begins at midnight in Lagos.
create table payout_limits (
  id text not null,
  -- Null: all merchants.
  merchant_id uuid,
  mode text not null,
  per_payout_minor bigint,
  per_day_minor bigint,
  duplicate_window_seconds integer not null,
  effective_from timestamptz not null,
  effective_to timestamptz,
  -- Who said so, and why.
  source text not null,
  constraint payout_limits_pk primary key (id),
  constraint payout_limits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_limits_amounts check (per_payout_minor > 0 and per_day_minor > 0),
  constraint payout_limits_window check (duplicate_window_seconds between 0 and 2592000),
  constraint payout_limits_effective check (effective_to > effective_from)
);

-- To begin with, and the operator's to change: ten million naira is the central bank's limit for a company without an
-- indemnity, two hundred and fifty million the one with it. In the sandbox a day holds batches of any size.
insert into payout_limits (
  id, merchant_id, mode, per_payout_minor, per_day_minor, duplicate_window_seconds, effective_from, effective_to, source
) values
  ('live-2020', null, 'LIVE', 1000000000, 25000000000, 120, '2020-01-01 00:00:00+01', null,
    'A beginning: CBN circular of 2022 on transfers with and without an indemnity'),
  ('sandbox-2020', null, 'SANDBOX', 1000000000, 100000000000000, 120, '2020-01-01 00:00:00+01', null,
    'A beginning: as live, with a day that is large enough for batches of any size');
