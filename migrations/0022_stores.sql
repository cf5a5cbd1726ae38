-- A store is a branch of the merchant with a wallet of its own.
create table stores (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  wallet_id uuid not null,
  created_at timestamptz not null,
  constraint stores_pk primary key (merchant_id, mode, id),
  constraint stores_mode check (mode in ('SANDBOX', 'LIVE'))
);
