-- The operator looks for payments across all merchants and compares rails day by day, and neither may read through the
-- tenants' tables: what is found and added up is derived behind the books, and what was noted of credits is found by
-- account and merchant too.

create table event_cursors (
  merchant_id uuid not null,
  mode text not null,
  reader text not null,
  event_sequence bigint not null,
  constraint event_cursors_pk primary key (merchant_id, mode, reader),
  constraint event_cursors_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint event_cursors_event_sequence check (event_sequence >= 0)
);
comment on table event_cursors is
  'Up to which event a reader behind the books has come, for each merchant and mode. One worker at a time locks the row.';

create table payout_directory (
  merchant_id uuid not null,
  payout_id uuid not null,
  mode text not null,
  status text not null,
  amount_minor bigint not null,
  rail text not null,
  account_number text not null,
  session_id text,
  constraint payout_directory_pk primary key (merchant_id, payout_id),
  constraint payout_directory_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table payout_directory is
  'Directory: what an operator knows of a payout leads to it, across merchants. Derived from the payouts by a worker, which '
  'may be seconds behind; nothing about money is decided by it.';
-- The condition is true of every row. Only who names it may use the index, which would mislead whoever looks for one.
create index payout_directory_newest on payout_directory (payout_id)
  where payout_id > '00000000-0000-0000-0000-000000000000';
create index payout_directory_by_account on payout_directory (account_number, payout_id);
create index payout_directory_by_session on payout_directory (session_id, payout_id) where session_id is not null;
create index payout_directory_by_status on payout_directory (status, payout_id) where status <> 'SUCCESS';

create table rail_daily_totals (
  day date not null,
  mode text not null,
  rail text not null,
  outcome text not null,
  duration_step integer not null,
  payouts bigint not null,
  amount_minor bigint not null,
  constraint rail_daily_totals_pk primary key (day, mode, rail, outcome, duration_step),
  constraint rail_daily_totals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint rail_daily_totals_outcome check (outcome in ('SUCCESS', 'FAILED', 'REVERSED')),
  constraint rail_daily_totals_sums check (payouts > 0 and amount_minor > 0)
);
comment on table rail_daily_totals is
  'How many payouts each rail ended on one day in Lagos, what they come to in minor units, and how long they took. Derived '
  'from the events of payouts by a worker, each event once.';
comment on column rail_daily_totals.duration_step is
  'From the first send to the end: eight steps for every doubling of the milliseconds. -1: of a return.';

-- An address is several words, so that each of them is found by its beginning.
create index merchants_by_name on merchants using gin (
  to_tsvector('simple', regexp_replace(
    business_name || ' ' || email || ' ' || owner_email || ' ' || registration_number, '[!-/:-@[-`{-~]+', ' ', 'g'))
);

create index credit_directory_newest on credit_directory (payment_id)
  where payment_id > '00000000-0000-0000-0000-000000000000';
create index credit_directory_by_merchant on credit_directory (merchant_id, payment_id) where payment_id is not null;
create index credit_directory_by_account on credit_directory (account_number, payment_id) where payment_id is not null;
