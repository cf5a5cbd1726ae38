-- What is kept of payments against chargebacks, for how long, and by which dated rule: a rolling reserve.

-- Constraints of 0059: rows are read and written meanwhile.
alter table inbound_payments validate constraint inbound_payments_channel;
alter table inbound_payments validate constraint inbound_payments_reserve;

create table reserve_rules (
  id uuid not null,
  merchant_id uuid,
  mode text not null,
  channel text,
  rate_basis_points integer not null,
  days integer not null,
  effective_from timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  digest text not null,
  constraint reserve_rules_pk primary key (id),
  constraint reserve_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint reserve_rules_channel check (channel in ('BANK_TRANSFER', 'CARD', 'USSD')),
  constraint reserve_rules_rate check (rate_basis_points between 0 and 10000),
  constraint reserve_rules_days check (days between 1 and 730)
);
comment on table reserve_rules is
  'How much of a payment in is kept in reserve, and for how many days, as dated rows: a merchant''s own before those for all merchants, of these the one of the channel before the one for all channels, and of several the one that began last. Without any, and by a rule of 0: nothing.';
comment on column reserve_rules.merchant_id is 'Null: all merchants.';
comment on column reserve_rules.channel is 'Null: however it was paid.';
comment on column reserve_rules.rate_basis_points is 'Hundredths of a percent of the payment, before fee and VAT; a fraction of a kobo is not kept.';
comment on column reserve_rules.days is 'It is released when the day in Lagos begins that is so many days after the credit.';
comment on column reserve_rules.source is 'Who decided it, and why.';
comment on column reserve_rules.digest is 'A digest of the row, by which the proof finds an altered one.';

create table reserves (
  merchant_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  wallet_id uuid not null,
  rule_id uuid not null,
  amount_minor bigint not null,
  kept_at timestamptz not null,
  release_on date not null,
  due_at timestamptz,
  released_at timestamptz,
  release_id uuid,
  constraint reserves_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint reserves_amount check (amount_minor > 0),
  constraint reserves_released check ((due_at is null) = (released_at is not null)
                                      and num_nonnulls(released_at, release_id) in (0, 2))
);
comment on table reserves is
  'What was kept of one payment in: moved from the wallet to the merchant''s reserve with the credit, and back on its day, once.';
comment on column reserves.wallet_id is 'The wallet that it came from, and goes back to.';
comment on column reserves.release_on is 'The day in Lagos on which it is released.';
comment on column reserves.due_at is
  'When a worker releases it: the beginning of that day; the sandbox''s clock makes it sooner. Null: it is released.';
comment on column reserves.release_id is 'The transaction that released it, of all that one wallet had back with it.';
create index reserves_due on reserves (merchant_id, mode, due_at) where due_at is not null;
create index reserves_kept on reserves (merchant_id, mode, release_on, wallet_id, amount_minor) where released_at is null;
alter table reserves add constraint reserves_pk primary key (merchant_id, mode, payment_id);
