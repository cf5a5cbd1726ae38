-- Money that comes in: account numbers of wallets at providers, what arrives at them, and what is still to be confirmed.

alter table accounts drop constraint accounts_kind;
alter table accounts add constraint accounts_kind check (kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET',
  'PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE', 'COLLECTION_RECEIVABLE'));

alter table transactions drop constraint transactions_category;
alter table transactions add constraint transactions_category check (category in ('STORE_TO_MERCHANT', 'SUBACCOUNT',
  'SUBACCOUNT_TO_MERCHANT', 'WALLET_FUNDING', 'COLLECTION', 'MANUAL_CREDIT', 'PAYOUT'));

alter table rail_accounts add column id uuid;
update rail_accounts set id = gen_random_uuid();
alter table rail_accounts alter column id set not null;
alter table rail_accounts add constraint rail_accounts_id_unique unique (id);
comment on column rail_accounts.id is 'Owner of the receivable accounts that merchants'' books have for it.';

create table default_wallet_providers (
  mode text not null,
  rail text not null,
  preferred_bank text,
  updated_at timestamptz not null,
  constraint default_wallet_providers_pk primary key (mode),
  constraint default_wallet_providers_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table default_wallet_providers is
  'At which provider account wallets get their account numbers. Without a row sandbox wallets have generated numbers, and live wallets none that anybody can pay to.';
comment on column default_wallet_providers.preferred_bank is
  'In the provider''s own words. Null: the provider chooses.';

create table virtual_accounts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  wallet_id uuid not null,
  rail text not null,
  status text not null,
  reason text,
  message text,
  preferred_bank text,
  provider_account_id text,
  attempts integer not null,
  due_at timestamptz,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  constraint virtual_accounts_pk primary key (merchant_id, mode, id),
  constraint virtual_accounts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint virtual_accounts_status check (status in ('REQUESTED', 'OPEN', 'FAILED', 'CLOSED')),
  constraint virtual_accounts_due check ((due_at is not null) = (status = 'REQUESTED'))
);
comment on table virtual_accounts is
  'A wallet''s account at a provider, from the request on. Its account numbers are in virtual_account_numbers: one provider may give several.';
comment on column virtual_accounts.due_at is 'When a worker next asks the provider; while one does, the end of its lease.';
comment on column virtual_accounts.reason is 'Why it is not open yet, or could not be opened.';
create unique index virtual_accounts_one on virtual_accounts (merchant_id, mode, wallet_id, rail)
  where status in ('REQUESTED', 'OPEN');
create index virtual_accounts_due on virtual_accounts (merchant_id, mode, due_at) where due_at is not null;
create index virtual_accounts_of_wallet on virtual_accounts (merchant_id, mode, wallet_id, rail);

create table virtual_account_numbers (
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  virtual_account_id uuid not null,
  account_number text not null,
  bank_code text,
  bank_name text not null,
  account_name text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint virtual_account_numbers_pk primary key (merchant_id, mode, wallet_id, virtual_account_id, account_number),
  constraint virtual_account_numbers_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint virtual_account_numbers_number check (account_number ~ '^[0-9]{10}$')
);
comment on table virtual_account_numbers is 'What a payer types: bank, number, and the name that the payer''s bank will show.';

create table receiving_numbers (
  rail text not null,
  account_number text not null,
  virtual_account_id uuid not null,
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint receiving_numbers_pk primary key (rail, account_number, virtual_account_id),
  constraint receiving_numbers_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table receiving_numbers is
  'Directory: an account number at a provider account leads to the wallet that it is for. A provider may give a closed number to somebody else: the older row stays.';
create unique index receiving_numbers_one_open on receiving_numbers (rail, account_number) where closed_at is null;

create index receiving_numbers_by_number on receiving_numbers (account_number) where closed_at is null;
create index receiving_numbers_of_account on receiving_numbers (virtual_account_id);

create table credit_directory (
  rail text not null,
  provider_transaction_id text not null,
  session_id text,
  merchant_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  wallet_id uuid not null,
  virtual_account_id uuid,
  account_number text not null,
  noted_at timestamptz not null,
  constraint credit_directory_pk primary key (rail, provider_transaction_id),
  constraint credit_directory_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table credit_directory is
  'Directory: a transfer that arrived at a provider is one payment of one merchant, for ever. Written before the payment, so that whoever finds the transfer again comes to the same payment.';
create unique index credit_directory_by_session on credit_directory (rail, session_id) where session_id is not null;

create table inbound_payments (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  wallet_id uuid not null,
  virtual_account_id uuid,
  rail text not null,
  provider_transaction_id text not null,
  provider_reference text,
  session_id text,
  account_number text not null,
  amount_minor bigint not null,
  provider_fee_minor bigint,
  currency text not null,
  status text not null,
  reason text,
  receivable_id uuid not null,
  payer_name text,
  payer_account_number text,
  payer_bank_name text,
  narration text,
  paid_at timestamptz,
  confirmed_at timestamptz not null,
  updated_at timestamptz not null,
  constraint inbound_payments_once unique (merchant_id, mode, rail, provider_transaction_id),
  constraint inbound_payments_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint inbound_payments_status check (status in ('CREDITED', 'SUSPENSE', 'RETURNED')),
  constraint inbound_payments_reason check (status <> 'SUSPENSE' or reason is not null),
  constraint inbound_payments_amounts check (amount_minor > 0 and provider_fee_minor >= 0)
);
comment on table inbound_payments is
  'One transfer that a provider confirmed. CREDITED: in the wallet. SUSPENSE: in the merchant''s suspense account until two people decide. Gross: what the provider keeps is its cost.';
comment on column inbound_payments.receivable_id is 'The account of the books that says what the provider owes.';
create index inbound_payments_in_suspense on inbound_payments (merchant_id, mode, id) where status = 'SUSPENSE';
-- The condition is true of every row, and only those who name a wallet can be planned with it.
create index inbound_payments_of_wallet on inbound_payments (merchant_id, mode, wallet_id, id)
  where wallet_id is not null;
-- Made last: of indexes that cost the same, the newest is taken.
alter table inbound_payments add constraint inbound_payments_pk primary key (merchant_id, mode, id);

create table inbound_evidence (
  merchant_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  id uuid not null,
  source text not null,
  outcome text not null,
  code text,
  reported text not null,
  received_at timestamptz not null,
  digest text not null,
  constraint inbound_evidence_pk primary key (merchant_id, mode, payment_id, id),
  constraint inbound_evidence_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint inbound_evidence_source check (source in ('WEBHOOK', 'POLL', 'CHECK'))
);
comment on table inbound_evidence is
  'The provider''s answer to the query that confirmed a payment, and what made us ask. No payment is without one.';
comment on column inbound_evidence.reported is 'JSON text: the transfer as the answer had it.';
comment on column inbound_evidence.digest is 'A digest of the row, by which the proof finds altered evidence.';

create table open_credits (
  rail text not null,
  credit_key text not null,
  mode text not null,
  provider_transaction_id text,
  provider_reference text,
  session_id text,
  account_number text,
  reported_minor bigint,
  source text not null,
  status text not null,
  reason text,
  code text,
  confirmed text,
  attempts integer not null,
  due_at timestamptz,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  constraint open_credits_pk primary key (rail, credit_key),
  constraint open_credits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint open_credits_status check (status in ('WAITING', 'UNCONFIRMED', 'NO_OWNER', 'CONTRADICTED', 'FAILED', 'DONE')),
  constraint open_credits_due check ((due_at is not null) = (status = 'WAITING'))
);
comment on table open_credits is
  'Credits that were reported and not credited: the provider is asked again, or the operator looks into it. WAITING: asked again when due. UNCONFIRMED: nobody confirmed it for days. NO_OWNER: confirmed, and no wallet has the number. CONTRADICTED: what is confirmed cannot be what was reported, or went back after it was credited.';
comment on column open_credits.confirmed is 'JSON text: the transfer as the provider confirmed it. Null: it did not.';
create index open_credits_due on open_credits (mode, due_at) where due_at is not null;
create index open_credits_to_decide on open_credits (mode, first_seen_at)
  where status in ('UNCONFIRMED', 'NO_OWNER', 'CONTRADICTED');

create table credit_polls (
  rail text not null,
  mode text not null,
  polled_to timestamptz not null,
  deep_polled_at timestamptz not null,
  leased_until timestamptz,
  last_poll_at timestamptz,
  constraint credit_polls_pk primary key (rail),
  constraint credit_polls_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table credit_polls is
  'Up to when a provider''s list of credits was read whole. Each window begins before the last one ended.';
