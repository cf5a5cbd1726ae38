-- What a payout needs besides its transaction: rail, charges, holds, and when a worker must next act. This row is the
-- queue; the state is not here, it lives in transactions.status only.
create table payouts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  batch_id uuid,
  purpose text not null,
  phone_number text,
  rail text not null,
  rail_reference text not null,
  -- Sandbox only: the scenario that the request named.
  scenario text,
  scheduled_for timestamptz,
  next_step text not null,
  -- Null: nobody has to act any more. While a worker has it, the end of that worker's lease.
  due_at timestamptz,
  attempts integer not null,
  first_sent_at timestamptz,
  session_id text,
  rail_code text,
  fee_minor bigint not null,
  vat_minor bigint not null,
  stamp_duty_minor bigint not null,
  -- Null until the holds are made; a hold of zero is none.
  amount_hold_id uuid,
  fee_hold_id uuid,
  vat_hold_id uuid,
  stamp_duty_hold_id uuid,
  constraint payouts_pk primary key (merchant_id, mode, id),
  constraint payouts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payouts_purpose check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT')),
  constraint payouts_next_step check (next_step in ('FIRE', 'SEND', 'QUERY')),
  constraint payouts_scenario_sandbox_only check (scenario is null or mode = 'SANDBOX'),
  constraint payouts_charges check (fee_minor >= 0 and vat_minor >= 0 and stamp_duty_minor >= 0),
  constraint payouts_sent_is_held check (next_step = 'FIRE' or amount_hold_id is not null)
) with (fillfactor = 80);
create index payouts_due on payouts (merchant_id, mode, due_at, id) where due_at is not null;
create index payouts_scheduled on payouts (merchant_id, mode, id) where scheduled_for is not null;
create index payouts_batch on payouts (merchant_id, mode, batch_id) where batch_id is not null;
