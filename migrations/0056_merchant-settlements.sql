-- What a merchant collected goes to its own bank account: when, how much, by which rules, and what became of each settlement.

create table merchant_settlement_rules (
  id uuid not null,
  merchant_id uuid,
  mode text not null,
  is_enabled boolean not null,
  minimum_minor bigint not null,
  window_seconds integer not null,
  cooling_off_seconds integer not null,
  effective_from timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  digest text not null,
  constraint merchant_settlement_rules_pk primary key (id),
  constraint merchant_settlement_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlement_rules_minimum check (minimum_minor > 0),
  constraint merchant_settlement_rules_seconds check (window_seconds between 60 and 86400
    and cooling_off_seconds between 0 and 2592000)
);
comment on table merchant_settlement_rules is
  'The operator''s terms of settlements to merchants'' banks, as dated rows: a merchant''s own before the one for all merchants, and of several the one that began last.';
comment on column merchant_settlement_rules.merchant_id is 'Null: all merchants.';
comment on column merchant_settlement_rules.is_enabled is 'False: nothing is settled, whatever the merchant has set.';
comment on column merchant_settlement_rules.window_seconds is
  'Payments in of so long go together where each is settled at once.';
comment on column merchant_settlement_rules.cooling_off_seconds is
  'So long after another settlement account was accepted nothing is settled to it.';
comment on column merchant_settlement_rules.source is 'Who decided it, and why.';
comment on column merchant_settlement_rules.digest is 'A digest of the row, by which the proof finds an altered one.';
insert into merchant_settlement_rules (id, merchant_id, mode, is_enabled, minimum_minor, window_seconds,
    cooling_off_seconds, effective_from, source, created_at, digest)
select rule.*, encode(sha256(convert_to(json_build_array(rule.id, rule.merchant_id, rule.mode, rule.is_enabled,
         rule.minimum_minor, rule.window_seconds, rule.cooling_off_seconds, extract(epoch from rule.effective_from), rule.source,
         extract(epoch from rule.created_at))::text, 'UTF8')), 'hex')
  from (values
    ('01930000-0000-7000-8000-000000000101'::uuid, null::uuid, 'LIVE', true, 100000::bigint, 300, 86400,
      timestamptz '2020-01-01 00:00:00+01', 'A beginning: 1,000 naira at least, and a day after another account was accepted',
      timestamptz '2020-01-01 00:00:00+01'),
    ('01930000-0000-7000-8000-000000000102'::uuid, null::uuid, 'SANDBOX', true, 100000::bigint, 300, 86400,
      timestamptz '2020-01-01 00:00:00+01', 'A beginning: as live', timestamptz '2020-01-01 00:00:00+01')
  ) as rule (id, merchant_id, mode, is_enabled, minimum_minor, window_seconds, cooling_off_seconds, effective_from, source,
             created_at);

create table merchant_settlement_settings (
  merchant_id uuid not null,
  mode text not null,
  version integer not null,
  id uuid not null,
  schedule text not null,
  minimum_minor bigint not null,
  keep_minor bigint not null,
  time_of_day text not null,
  changed_by text not null,
  changed_at timestamptz not null,
  digest text not null,
  constraint merchant_settlement_settings_pk primary key (merchant_id, mode, version),
  constraint merchant_settlement_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlement_settings_schedule check (schedule in ('OFF', 'DAILY', 'INSTANT')),
  constraint merchant_settlement_settings_amounts check (minimum_minor >= 0 and keep_minor >= 0),
  constraint merchant_settlement_settings_time check (time_of_day ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
comment on table merchant_settlement_settings is
  'What a merchant wants of its settlements, each version as it was made; the last one counts.';
comment on column merchant_settlement_settings.keep_minor is 'So much stays in the wallet.';
comment on column merchant_settlement_settings.time_of_day is 'Of working days, Africa/Lagos.';
comment on column merchant_settlement_settings.digest is 'A digest of the row, by which the proof finds an altered one.';

create table merchant_settlement_schedules (
  merchant_id uuid not null,
  mode text not null,
  due_at timestamptz,
  cut_off timestamptz,
  business_day date,
  ahead_seconds bigint not null,
  first_sequence bigint not null,
  first_balance_minor bigint not null,
  paused_reason text,
  paused_since timestamptz,
  result text,
  updated_at timestamptz not null,
  constraint merchant_settlement_schedules_pk primary key (merchant_id, mode),
  constraint merchant_settlement_schedules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlement_schedules_paused check ((paused_reason is null) = (paused_since is null)),
  constraint merchant_settlement_schedules_live_time check (mode = 'SANDBOX' or ahead_seconds = 0)
);
comment on table merchant_settlement_schedules is
  'When a merchant''s next settlement is due. This row is the queue; while a worker has it, due_at is the end of its lease.';
comment on column merchant_settlement_schedules.due_at is 'Null: nothing is settled by itself.';
comment on column merchant_settlement_schedules.cut_off is
  'What was booked before is settled then. Null: what is there at that moment.';
comment on column merchant_settlement_schedules.business_day is 'The working day on which it is due.';
comment on column merchant_settlement_schedules.ahead_seconds is 'By how much the time of a sandbox was moved forward.';
comment on column merchant_settlement_schedules.first_sequence is
  'The first settlement begins behind this entry of the wallet: what is older is not settled.';
comment on column merchant_settlement_schedules.result is 'Why the last turn made no settlement.';
create index merchant_settlement_schedules_due on merchant_settlement_schedules (merchant_id, mode, due_at)
  where due_at is not null;

create table merchant_settlements (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  number integer not null,
  trigger text not null,
  status text not null,
  reason text,
  wallet_id uuid not null,
  business_day date not null,
  cut_off timestamptz not null,
  after_sequence bigint not null,
  upto_sequence bigint not null,
  opening_minor bigint not null,
  closing_minor bigint not null,
  sums text not null,
  net_minor bigint not null,
  carried_in_minor bigint not null,
  amount_minor bigint not null,
  carried_out_minor bigint not null,
  bank_code text not null,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  payout_id uuid not null,
  attempts integer not null,
  made_by text not null,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint merchant_settlements_pk primary key (merchant_id, mode, id),
  constraint merchant_settlements_once unique (merchant_id, mode, number),
  constraint merchant_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlements_trigger check (trigger in ('DAILY', 'INSTANT', 'BY_HAND')),
  constraint merchant_settlements_status check (status in ('PROCESSING', 'PAID', 'FAILED')),
  constraint merchant_settlements_range check (after_sequence <= upto_sequence),
  constraint merchant_settlements_amounts check (amount_minor > 0 and carried_out_minor >= 0 and carried_in_minor >= 0
    and amount_minor + carried_out_minor <= carried_in_minor + net_minor)
);
comment on table merchant_settlements is
  'What a merchant''s main wallet collected in a range of its entries, and the payout that takes it to the merchant''s bank. Ranges follow each other, so each payment is in one settlement.';
comment on column merchant_settlements.number is 'Of this merchant and mode, from 1, without a gap.';
comment on column merchant_settlements.after_sequence is 'The entries of the wallet behind this one, up to upto_sequence.';
comment on column merchant_settlements.opening_minor is 'What was booked in the wallet before the range, and after it.';
comment on column merchant_settlements.sums is 'JSON text: entries and sum of each kind of line, kobo.';
comment on column merchant_settlements.net_minor is 'What of the range was collected: payments less what they cost, went back or was kept.';
comment on column merchant_settlements.carried_in_minor is 'What the settlement before left to this one.';
comment on column merchant_settlements.amount_minor is 'What its payout takes to the bank, without charges.';
comment on column merchant_settlements.payout_id is 'The latest one: after a failed one there may be another.';
comment on column merchant_settlements.due_at is
  'When a worker looks at it: its payout ended, or it is tried again. Null: nobody has to.';
create index merchant_settlements_by_payout on merchant_settlements (merchant_id, mode, payout_id);
create index merchant_settlements_due on merchant_settlements (merchant_id, mode, due_at) where due_at is not null;
-- The newest index wins ties: what knows the key of a row finds it by that.
alter table merchant_settlements drop constraint merchant_settlements_pk;
alter table merchant_settlements add constraint merchant_settlements_pk primary key (merchant_id, mode, id);

create table merchant_settlement_payouts (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  settlement_id uuid not null,
  attempt integer not null,
  created_at timestamptz not null,
  constraint merchant_settlement_payouts_pk primary key (merchant_id, mode, payout_id),
  constraint merchant_settlement_payouts_once unique (merchant_id, mode, settlement_id, attempt),
  constraint merchant_settlement_payouts_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table merchant_settlement_payouts is
  'Every payout of a settlement: one, and another only after the one before it has failed or come back.';

alter table payouts drop constraint payouts_purpose;
alter table payouts add constraint payouts_purpose
  check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT', 'SETTLEMENT', 'REFUND')) not valid;
