-- A subaccount is a child account of the merchant with a wallet of its own.
create table subaccounts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  wallet_id uuid not null,
  created_at timestamptz not null,
  constraint subaccounts_pk primary key (merchant_id, mode, id),
  constraint subaccounts_mode check (mode in ('SANDBOX', 'LIVE'))
);
