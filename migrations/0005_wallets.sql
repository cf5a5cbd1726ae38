-- What a merchant sees of its money: wallets with account numbers, stores, subaccounts, transactions.

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
comment on table wallets is
  'The public side of a customer''s account: its bank account number. The id is the account''s.';

create table account_numbers (
  account_number text not null,
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  created_at timestamptz not null,
  constraint account_numbers_pk primary key (account_number)
);
comment on table account_numbers is
  'Directory: an account number belongs to one wallet of the whole installation. Written before the wallet.';

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
comment on table stores is 'A store is a branch of the merchant with a wallet of its own.';

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
comment on table subaccounts is 'A subaccount is a child account of the merchant with a wallet of its own.';

create table transactions (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  category text not null,
  status text not null,
  reason text,
  amount_minor bigint not null,
  charges_minor bigint not null,
  currency text not null,
  narration text not null,
  description text not null,
  client_reference text,
  batch_id uuid,
  wallet_id uuid not null,
  from_wallet_id uuid,
  to_wallet_id uuid,
  provider_wallet_id uuid not null,
  subject_id uuid,
  subject_name text,
  beneficiary_bank_name text not null,
  beneficiary_bank_code text not null,
  beneficiary_account_number text not null,
  beneficiary_account_name text not null,
  originator_bank_name text not null,
  originator_bank_code text not null,
  originator_account_number text not null,
  originator_account_name text not null,
  metadata text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  paid_at timestamptz,
  constraint transactions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint transactions_category check (category in (
    'STORE_TO_MERCHANT', 'SUBACCOUNT', 'SUBACCOUNT_TO_MERCHANT', 'WALLET_FUNDING', 'PAYOUT'
  )),
  constraint transactions_status check (status in (
    'PENDING_APPROVAL', 'SCHEDULED', 'QUEUED', 'PROCESSING', 'SUCCESS', 'FAILED', 'REVERSED', 'CANCELLED'
  )),
  constraint transactions_amounts check (amount_minor > 0 and charges_minor >= 0)
);
comment on table transactions is
  'What the merchant sees of a movement: who paid whom, how much, and what became of it. Names are kept as they '
  'were.';
create index transactions_batch on transactions (merchant_id, batch_id, id) where batch_id is not null;
create index transactions_by_status on transactions (merchant_id, mode, status, created_at, id)
  where status <> 'SUCCESS';
create index transactions_by_category on transactions (merchant_id, mode, category, created_at, id)
  where category <> 'STORE_TO_MERCHANT';
create index transactions_by_reference on transactions (merchant_id, mode, client_reference)
  where client_reference is not null;
-- PostgreSQL breaks ties between indexes by the newest: the key comes after those that it has to win against.
alter table transactions add constraint transactions_pk primary key (merchant_id, mode, id);
-- Lists read from an index, however long the history is. Store debits, the busiest kind, pay for this one only. Its
-- condition is true of every row and named by lists only: no other statement is planned with it.
create index transactions_by_time on transactions (merchant_id, mode, created_at, id)
  where created_at > '-infinity';
