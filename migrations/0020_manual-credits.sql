-- Money that arrived at the operator's bank without a provider's word is credited to a wallet by two of its people.

create table manual_credits (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  transaction_id uuid not null,
  wallet_id uuid not null,
  amount_minor bigint not null,
  currency text not null,
  bank_code text not null,
  bank_name text not null,
  bank_reference text not null,
  reference_key text not null,
  received_on date not null,
  payer_name text not null,
  note text not null,
  document_name text not null,
  document_type text not null,
  document_bytes integer not null,
  document_hash text not null,
  document_digest text not null,
  document_sealed bytea not null,
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint manual_credits_pk primary key (merchant_id, mode, id),
  constraint manual_credits_transaction unique (merchant_id, mode, transaction_id),
  constraint manual_credits_wallet foreign key (merchant_id, mode, wallet_id) references wallets (merchant_id, mode, id),
  constraint manual_credits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint manual_credits_amount check (amount_minor > 0),
  constraint manual_credits_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  -- Who proposed may withdraw it, and nothing else.
  constraint manual_credits_two_people check ((decided_by = proposed_by) = (status = 'WITHDRAWN'))
);
comment on table manual_credits is
  'A credit to a wallet for money at the operator''s bank, with the bank''s reference and a document: proposed by one '
  'person and approved by another. Every one is kept, also those that were rejected or withdrawn.';
comment on column manual_credits.transaction_id is
  'Of the transaction that approving it makes: fixed when it is proposed, so that it is made once.';
comment on column manual_credits.bank_code is 'The bank of the operator at which the money arrived.';
comment on column manual_credits.reference_key is 'The reference as references are compared: capitals, without spaces.';
comment on column manual_credits.received_on is 'The day in Lagos on which the bank has it.';
comment on column manual_credits.document_hash is 'HMAC of the content: the same document under another credit is noticed.';
comment on column manual_credits.document_digest is 'SHA-256 in hex over the sealed bytes, which are as they were uploaded.';
comment on column manual_credits.document_sealed is 'AES-256-GCM, bound to this row.';
comment on column manual_credits.digest is
  'SHA-256 in hex over all that was proposed: what the second person approves is what the first one brought.';
comment on column manual_credits.reason is 'Why it was rejected or withdrawn.';
-- What waits for a second person is few, and is read across merchants.
create index manual_credits_waiting on manual_credits (merchant_id, mode, proposed_at, id) where status = 'PENDING';
create index manual_credits_of_wallet on manual_credits (merchant_id, mode, wallet_id, received_on);

create table manual_credit_references (
  mode text not null,
  bank_code text not null,
  reference_key text not null,
  merchant_id uuid not null,
  manual_credit_id uuid not null,
  constraint manual_credit_references_pk primary key (mode, reference_key, bank_code),
  constraint manual_credit_references_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table manual_credit_references is
  'Directory: a reference of a bank is of one manual credit of the whole installation while that is pending or '
  'approved, so that one bank credit is never credited twice.';
