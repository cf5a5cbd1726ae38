-- The public side of a customer's account: the bank account number under which it is known. Its id is the account's.
create table wallets (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  owner_id uuid not null,
  bank_code text not null,
  bank_name text not null,
  account_name text not null,
  account_number text not null,
  created_at timestamptz not null,
  constraint wallets_pk primary key (merchant_id, mode, id),
  constraint wallets_owner_unique unique (merchant_id, mode, owner_id),
  constraint wallets_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint wallets_account_number check (account_number ~ '^[0-9]{10}$')
);
