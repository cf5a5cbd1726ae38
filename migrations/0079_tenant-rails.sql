-- Which rails pay for one merchant, where the merchant or the operator chose: payouts made from then on go by it.
create table tenant_rails (
  merchant_id uuid not null,
  mode text not null,
  -- Null: the choice was taken back, and the operator's default applies again.
  first_rail text,
  -- Takes over only what the first was certainly never asked to send, or definitely refused.
  second_rail text,
  chosen_by text not null,
  chosen_at timestamptz not null,
  constraint tenant_rails_pk primary key (merchant_id, mode),
  constraint tenant_rails_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint tenant_rails_chosen_by check (chosen_by in ('MERCHANT', 'OPERATOR')),
  constraint tenant_rails_order check (second_rail is null or (first_rail is not null and second_rail <> first_rail))
);
