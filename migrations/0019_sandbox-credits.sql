-- The sandbox's bank receives money too: what its payers paid, with books of its own, so that ours can be compared.

create table sandbox_credits (
  merchant_id uuid not null,
  mode text not null,
  id text not null,
  session_id text not null,
  account_number text not null,
  amount_minor bigint not null,
  currency text not null,
  payer_name text not null,
  payer_account_number text not null,
  payer_bank_name text not null,
  narration text,
  scenario text not null,
  status text not null,
  paid_at timestamptz not null,
  counted_from timestamptz not null,
  queries integer not null,
  webhooks_delivered integer not null,
  next_webhook_at timestamptz,
  constraint sandbox_credits_pk primary key (merchant_id, mode, id),
  constraint sandbox_credits_mode check (mode = 'SANDBOX'),
  constraint sandbox_credits_status check (status in ('SUCCESS', 'PENDING', 'FAILED', 'REVERSED')),
  constraint sandbox_credits_account_number check (account_number ~ '^[0-9]{10}$'),
  constraint sandbox_credits_session_id check (session_id ~ '^[0-9]{30}$'),
  constraint sandbox_credits_amount check (amount_minor > 0)
);
comment on table sandbox_credits is
  'The simulated bank''s own books of money that came in, apart from ours, so that the two can be compared.';
comment on column sandbox_credits.id is 'The provider''s transaction id; it names the merchant too.';
comment on column sandbox_credits.status is 'What queries answer in the end; the scenario may have them answer otherwise before.';
comment on column sandbox_credits.counted_from is
  'From when the scenario''s seconds count. The sandbox clock moves it; the time of payment stays.';
comment on column sandbox_credits.next_webhook_at is 'Null: the scenario has no webhook left to deliver.';
create index sandbox_credits_next_webhook on sandbox_credits (merchant_id, mode, next_webhook_at)
  where next_webhook_at is not null;
-- The sandbox clock moves what waits for a time.
create index sandbox_credits_scenarios on sandbox_credits (merchant_id, mode) where scenario <> 'paid';
-- A provider's list is by time, and of all merchants.
create index sandbox_credits_paid on sandbox_credits (paid_at, id);
