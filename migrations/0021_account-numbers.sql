-- Directory: an account number belongs to one wallet of the whole installation. Written before the wallet is.
create table account_numbers (
  account_number text not null,
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  created_at timestamptz not null,
  constraint account_numbers_pk primary key (account_number)
);
