-- What the merchant sees of a movement: who paid whom, how much, and what became of it. Names are kept as they were.
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
  constraint transactions_pk primary key (merchant_id, mode, id),
  constraint transactions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint transactions_category check (category in (
    'STORE_TO_MERCHANT', 'SUBACCOUNT', 'SUBACCOUNT_TO_MERCHANT', 'WALLET_FUNDING', 'PAYOUT'
  )),
  constraint transactions_status check (status in (
    'PENDING_APPROVAL', 'SCHEDULED', 'QUEUED', 'PROCESSING', 'SUCCESS', 'FAILED', 'REVERSED', 'CANCELLED'
  )),
  constraint transactions_amounts check (amount_minor > 0 and charges_minor >= 0)
);
create index transactions_batch on transactions (merchant_id, batch_id, id) where batch_id is not null;
