-- Accounts that a merchant pays again and again, with the name that the bank gave when they were added.
create table beneficiaries (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  nickname text,
  bank_code text not null,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  status text not null,
  reason text,
  approval_id uuid,
  -- The rules by which it needed an approval or none.
  rules_version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint beneficiaries_pk primary key (merchant_id, mode, id),
  constraint beneficiaries_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint beneficiaries_status check (status in ('PENDING_APPROVAL', 'ACTIVE', 'REMOVED'))
);
create unique index beneficiaries_once on beneficiaries (merchant_id, mode, bank_code, account_number)
  where status <> 'REMOVED';
