-- The whole schema as the migrations make it, in their order, for reading. Written by `npm run schema`: change it by a
-- new migration. Left out: the first rows of reference tables, and schema_migrations, which is the runner's.

-- ==== 0001_ledger ====

-- One row per merchant and mode. Every group of movements locks it first, so one tenant's money has one order.
create table books (
  merchant_id uuid not null,
  mode text not null,
  event_sequence bigint not null,
  active_at timestamptz not null default '2000-01-01 00:00:00+00'::timestamp with time zone,
  constraint books_pk primary key (merchant_id, mode),
  constraint books_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint books_event_sequence check (event_sequence >= 0)
) with (fillfactor = 50);
create index books_by_activity on books (active_at, merchant_id, mode);

-- A ledger account with its balances. They are on the row, which is locked before every decision: nothing sums history
-- to know a balance.
create table accounts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  kind text not null,
  owner_id uuid not null,
  currency text not null,
  debits_posted_minor bigint not null,
  credits_posted_minor bigint not null,
  debits_pending_minor bigint not null,
  credits_pending_minor bigint not null,
  sequence bigint not null,
  created_at timestamptz not null,
  constraint accounts_pk primary key (merchant_id, id),
  constraint accounts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint accounts_currency check (currency = 'NGN'),
  constraint accounts_sums_not_negative check (debits_posted_minor >= 0 and credits_posted_minor >= 0 and
      debits_pending_minor >= 0 and credits_pending_minor >= 0 and sequence >= 0),
  constraint accounts_customer_not_overdrawn check ((kind not in ('MERCHANT_WALLET', 'STORE_WALLET',
      'SUBACCOUNT_WALLET')) or (credits_posted_minor - debits_posted_minor - debits_pending_minor) >= 0),
  constraint accounts_kind check (kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET',
      'PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE', 'COLLECTION_RECEIVABLE',
      'PENDING_COLLECTIONS', 'PROVIDER_COST', 'MERCHANT_RECEIVABLE', 'RESERVE'))
) with (fillfactor = 50);
create unique index accounts_owner_unique on accounts (merchant_id, mode, kind, owner_id) where created_at >
    '-infinity';
create index accounts_receivable on accounts (merchant_id, mode, owner_id) where kind = 'COLLECTION_RECEIVABLE';

-- One immutable row moves money between two accounts of one merchant, so a transfer cannot be unbalanced.
create table transfers (
  merchant_id uuid not null,
  mode text not null,
  transaction_id uuid not null,
  id uuid not null,
  kind text not null,
  pending_id uuid,
  debit_account_id uuid not null,
  credit_account_id uuid not null,
  amount_minor bigint not null,
  currency text not null,
  code text not null,
  debit_sequence bigint not null,
  credit_sequence bigint not null,
  debit_balance_minor bigint not null,
  credit_balance_minor bigint not null,
  created_at timestamptz not null,
  constraint transfers_pk primary key (merchant_id, transaction_id, id),
  constraint transfers_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint transfers_kind check (kind in ('POSTED', 'PENDING', 'POST', 'VOID')),
  constraint transfers_resolution check ((kind in ('POST', 'VOID')) = (pending_id is not null)),
  constraint transfers_amount_positive check (amount_minor > 0),
  constraint transfers_two_accounts check (debit_account_id <> credit_account_id)
);
create unique index transfers_debit_sequence on transfers (merchant_id, debit_account_id, debit_sequence);
create unique index transfers_credit_sequence on transfers (merchant_id, credit_account_id, credit_sequence);
create unique index transfers_resolved_once on transfers (merchant_id, pending_id) where pending_id is not null;

-- The key, the hash of the input and the first answer commit with the effect: a retry can only read them.
create table idempotency_keys (
  merchant_id uuid not null,
  mode text not null,
  key text not null,
  input_hash text not null,
  transaction_id uuid,
  answer_status integer not null,
  answer_body text,
  answer_message text,
  event_sequence bigint,
  created_at timestamptz not null,
  constraint idempotency_keys_pk primary key (merchant_id, mode, key),
  constraint idempotency_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint idempotency_keys_answer check (answer_body is not null and answer_message is null and event_sequence is
      null or answer_body is null and answer_message is not null and event_sequence is not null)
);

-- What happened, in order, per tenant, written with the change itself. The view events shows the same with whole texts.
create table event_rows (
  merchant_id uuid not null,
  mode text not null,
  sequence bigint not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  -- Without a template: the JSON text, which is delivered byte for byte. With one: what differs from it, with U+001F,
  -- which JSON never has, between two values.
  data text not null,
  created_at timestamptz not null,
  -- The key of the request. Null: it had none. A key that is lost, and would let its request pay again, is missed by
  -- it.
  idempotency_key text,
  -- The request that caused it. Null: no request did.
  request_id text,
  -- Null: data is the whole text.
  template_id uuid,
  constraint events_pk primary key (merchant_id, mode, sequence),
  constraint events_mode check (mode in ('SANDBOX', 'LIVE'))
);
create index events_by_subject on event_rows (merchant_id, subject_id, sequence) where type <>
    'transaction.succeeded';

-- A value that can be taken once for ever, such as a merchant's own reference. It leads to what took it.
create table unique_keys (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  value text not null,
  subject_id uuid not null,
  created_at timestamptz not null,
  constraint unique_keys_pk primary key (merchant_id, mode, scope, value),
  constraint unique_keys_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- A value that is held for a time, or until it is released. It leads to what reserved it last.
create table reservations (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  value text not null,
  subject_id uuid not null,
  reserved_at timestamptz not null,
  constraint reservations_pk primary key (merchant_id, mode, scope, value),
  constraint reservations_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- How much of something that is limited per period a tenant has used, such as the payouts of a day.
create table limit_usage (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  period text not null,
  used_minor bigint not null,
  constraint limit_usage_pk primary key (merchant_id, mode, scope, period),
  constraint limit_usage_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint limit_usage_used check (used_minor >= 0)
);

-- One row per change of state: the history of a payout, a batch or any other subject.
create table state_changes (
  merchant_id uuid not null,
  mode text not null,
  subject text not null,
  subject_id uuid not null,
  id uuid not null,
  from_state text not null,
  to_state text not null,
  reason text,
  created_at timestamptz not null,
  constraint state_changes_pk primary key (merchant_id, subject_id, id),
  constraint state_changes_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0002_merchants ====

-- Who the service is run for: one profile for both modes.
create table merchants (
  id uuid not null,
  status text not null,
  initial_status text not null,
  review_status text not null,
  business_name text not null,
  business_type text not null,
  business_category text not null,
  registration_number text not null,
  email text not null,
  phone_number text not null,
  logo text,
  address text not null,
  city text not null,
  state text not null,
  country text not null,
  postal_code text,
  director_date_of_birth date,
  bvn_sealed text,
  bvn_masked text not null,
  consent_form text,
  agency_network_consent_form text,
  owner_details jsonb,
  cac_documents text[] not null,
  kyc_completed_fields text[] not null,
  auto_settlement boolean not null,
  auto_instant_settlement boolean not null,
  is_refund_enabled boolean not null,
  is_maker_checker_enabled boolean not null,
  is_consent_form_approved boolean not null,
  is_agency_network_consent_form_approved boolean not null,
  enable_same_bvn_or_phone_number_for_wallet_creation boolean not null,
  sandbox_webhook_url text not null,
  production_webhook_url text not null,
  owner_id uuid not null,
  owner_email text not null,
  owner_first_name text not null,
  owner_last_name text not null,
  owner_phone_number text not null,
  created_at timestamptz not null,
  -- While the details wait for the operator they do not change.
  submitted_at timestamptz,
  constraint merchants_pk primary key (id),
  constraint merchants_status check (status in ('PENDING', 'ACTIVE', 'SUSPENDED')),
  constraint merchants_initial_status check (initial_status = 'NEW'),
  constraint merchants_review_status check (review_status in ('PENDING', 'ACCEPTED', 'REJECTED')),
  constraint merchants_active_is_accepted check (status = 'PENDING' or review_status = 'ACCEPTED'),
  constraint merchants_bvn_both check ((bvn_sealed is null) = (bvn_masked = ''))
);
create index merchants_by_name on merchants using gin (to_tsvector('simple'::regconfig,
    regexp_replace((((((business_name || ' ') || email) || ' ') || owner_email) || ' ') || registration_number,
    '[!-/:-@[-`{-~]+', ' ', 'g')));

-- What the operator decided about a merchant, and when. Rows are only added.
create table merchant_status_changes (
  merchant_id uuid not null,
  id uuid not null,
  action text not null,
  from_status text not null,
  to_status text not null,
  actor text not null,
  reason text,
  created_at timestamptz not null,
  -- What the merchant said of itself and which documents there were, as they were submitted or decided on; a BVN shows
  -- its ends only. Null where no details were looked at, and on decisions from before facts were kept.
  facts jsonb,
  constraint merchant_status_changes_pk primary key (merchant_id, id),
  constraint merchant_status_changes_merchant foreign key (merchant_id) references merchants(id)
);

-- Reference data: the services that a merchant may have enabled.
create table services (
  id uuid not null,
  key text not null,
  name text not null,
  description text not null,
  constraint services_pk primary key (key),
  constraint services_id_unique unique (id)
);

-- The services that are enabled for a merchant.
create table merchant_services (
  merchant_id uuid not null,
  service_key text not null,
  enabled_at timestamptz not null,
  constraint merchant_services_pk primary key (merchant_id, service_key),
  constraint merchant_services_merchant foreign key (merchant_id) references merchants(id),
  constraint merchant_services_service foreign key (service_key) references services(key)
);

-- What the review asks for beyond the profile: who the director is and where settlements go.
create table merchant_onboarding (
  merchant_id uuid not null,
  details jsonb not null,
  -- What an accepted merchant wants changed, until the operator accepts it. The profile in force stays as it is till
  -- then.
  changes jsonb not null,
  updated_at timestamptz not null,
  constraint merchant_onboarding_pk primary key (merchant_id),
  constraint merchant_onboarding_merchant foreign key (merchant_id) references merchants(id)
);

-- Identity papers, sealed, beside the rows that they prove: a backup has both and no web server can serve them.
create table merchant_documents (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  file_name text not null,
  content_type text not null,
  byte_count integer not null,
  -- A keyed hash: the same file sent twice is one document.
  content_hash text not null,
  content_sealed bytea not null,
  uploaded_by uuid,
  uploaded_at timestamptz not null,
  constraint merchant_documents_pk primary key (merchant_id, id),
  constraint merchant_documents_once unique (merchant_id, kind, content_hash),
  constraint merchant_documents_merchant foreign key (merchant_id) references merchants(id),
  constraint merchant_documents_kind check (kind in ('CAC_CERTIFICATE', 'CAC_STATUS_REPORT', 'MEMORANDUM',
      'DIRECTOR_ID', 'PROOF_OF_ADDRESS', 'OTHER')),
  constraint merchant_documents_content_type check (content_type in ('application/pdf', 'image/png', 'image/jpeg'))
);

-- ==== 0003_people ====

-- Who may sign in: the operator's staff and the members of merchants. One e-mail address is one person in the whole
-- installation, so this is a directory without a foreign key into the tenants' tables.
create table people (
  id uuid not null,
  kind text not null,
  merchant_id uuid,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null,
  -- Null: the operator's staff.
  role text,
  first_name text not null default '',
  last_name text not null default '',
  -- When somebody removed the person.
  disabled_at timestamptz,
  last_seen_at timestamptz,
  -- Sealed, bound to the person. A new secret waits here until it is confirmed with a code.
  totp_waiting_sealed text,
  totp_sealed text,
  -- The last half minute whose code was accepted: each counts once.
  totp_last_step bigint not null default 0,
  -- Keyed hashes of the recovery codes that are left; a used one is deleted.
  recovery_hashes text[] not null default '{}',
  -- As in pins: the hashes are made under each of these, one over the other. Null: under the first pepper of this
  -- database.
  recovery_pepper_ids text[],
  -- Who invited the person, or gave them more than they had. For a day neither of the two decides about what the other
  -- made.
  role_given_by uuid,
  role_given_at timestamptz,
  constraint people_pk primary key (id),
  constraint people_email_unique unique (email),
  constraint people_email_lower_case check (email = lower(email)),
  constraint people_kind check (kind in ('OPERATOR', 'MEMBER')),
  constraint people_member_has_merchant check ((kind = 'MEMBER') = (merchant_id is not null)),
  constraint people_role check (role in ('OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER')),
  constraint people_operator_has_no_role check (kind = 'MEMBER' or role is null)
);
create index people_of_merchant on people (merchant_id) where merchant_id is not null;
create index people_by_role_given on people (role_given_by, role_given_at) where role_given_by is not null;

-- Who is signed in, on what. The browser holds the secret; its hash leads to the person before any merchant is known. A
-- session that ends is deleted: what was done in it is in the audit log.
create table sessions (
  id uuid not null,
  person_id uuid not null,
  -- MFA_PENDING: the code of the second factor is still to come.
  stage text not null,
  secret_hash text not null,
  -- The secret before the last change of it, for requests that were under way.
  previous_hash text,
  previous_until timestamptz,
  created_at timestamptz not null,
  -- Accurate to a minute.
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- Until then what is sensitive does not ask for the password again. Null: it asks.
  step_up_until timestamptz,
  ip text not null,
  user_agent text not null,
  constraint sessions_pk primary key (id),
  constraint sessions_secret_unique unique (secret_hash),
  constraint sessions_stage check (stage in ('MFA_PENDING', 'FULL'))
);
create index sessions_by_previous on sessions (previous_hash) where previous_hash is not null;
create index sessions_of_person on sessions (person_id);
create index sessions_by_end on sessions (expires_at);

-- Browsers that a person has signed in from, each known by the hash of a secret per person. Owners are notified of a
-- new one.
create table devices (
  person_id uuid not null,
  device_hash text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint devices_pk primary key (person_id, device_hash)
);
create index devices_by_time on devices (last_seen_at);

-- Wrong passwords per address, counted across processes, and also for unknown addresses, so that a guess reveals
-- nothing.
create table sign_in_attempts (
  -- SHA-256 of the address in lower case: what people mistype is not kept.
  email_hash text not null,
  attempts integer not null,
  last_attempt_at timestamptz not null,
  locked_until timestamptz,
  constraint sign_in_attempts_pk primary key (email_hash),
  constraint sign_in_attempts_count check (attempts >= 0)
);
create index sign_in_attempts_by_time on sign_in_attempts (last_attempt_at);

-- The link in a mail proves that somebody reads the address. Its secret is kept as a hash, serves one purpose and
-- counts once.
create table links (
  token_hash text not null,
  purpose text not null,
  -- A sign-up, an invitation or a person.
  subject_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint links_pk primary key (token_hash),
  constraint links_purpose check (purpose in ('CONFIRM', 'RESET', 'INVITATION'))
);
create index links_of_subject on links (subject_id);
create index links_by_end on links (expires_at);

-- Who signs up gives an address only. Password and business follow after it is confirmed, so that nobody takes an
-- address that is not theirs.
create table sign_ups (
  id uuid not null,
  email text not null,
  created_at timestamptz not null,
  constraint sign_ups_pk primary key (id)
);
create index sign_ups_by_time on sign_ups (created_at);
create index sign_ups_by_email on sign_ups (email);

-- Whom a merchant or the operator has invited. It becomes a person when it is accepted, so that an address that belongs
-- to somebody else already reveals nothing.
create table invitations (
  -- The id of the person that it becomes.
  id uuid not null,
  -- Null: the operator's staff.
  merchant_id uuid,
  role text,
  email text not null,
  invited_by uuid not null,
  created_at timestamptz not null,
  -- Whether two people are behind it.
  is_approved boolean,
  constraint invitations_pk primary key (id),
  constraint invitations_once unique nulls not distinct (merchant_id, email),
  constraint invitations_role check (role in ('OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER')),
  constraint invitations_member_has_role check ((merchant_id is null) = (role is null))
);

-- Changes of people that a second person has to approve. The request never changes: a different one is a new row.
create table people_changes (
  id uuid not null,
  -- Null: the operator's staff.
  merchant_id uuid,
  kind text not null,
  -- The person, or the id that an invited person will have.
  subject_id uuid not null,
  email text not null,
  role text,
  role_before text,
  keep_keys boolean not null,
  reason text,
  -- Null: the operator's terminal.
  made_by uuid,
  made_by_name text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  needed integer not null,
  approved_by uuid[] not null default '{}',
  status text not null,
  decided_by uuid,
  decided_at timestamptz,
  constraint people_changes_pk primary key (id),
  constraint people_changes_kind check (kind in ('INVITATION', 'ROLE', 'SECOND_FACTOR')),
  constraint people_changes_needed check (needed >= 1),
  constraint people_changes_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED',
      'VOID'))
);
create unique index people_changes_one_waits on people_changes (merchant_id, email, kind) nulls not distinct where
    status = 'PENDING';

-- The outbox: written in the transaction that caused the mail, until a worker hands it to the mail server. Without one
-- they can be read in the local outbox.
create table mails (
  id uuid not null,
  recipient text not null,
  subject text not null,
  -- It may hold a link that signs somebody in: sealed, and deleted after a week.
  body_sealed text,
  created_at timestamptz not null,
  -- When it is sent next. Who sends it moves it on first, so that two never send the same one.
  due_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  abandoned_at timestamptz,
  last_error text,
  -- Mails of one group to one address go out together.
  group_key text,
  constraint mails_pk primary key (id)
);
create index mails_due on mails (due_at) where sent_at is null and abandoned_at is null;
create index mails_with_body on mails (created_at) where body_sealed is not null;
create index mails_by_group on mails (recipient, group_key, id) where group_key is not null;

-- ==== 0004_access ====

-- API keys, as keyed hashes: the text of a key is never here.
create table api_keys (
  merchant_id uuid not null,
  id uuid not null,
  mode text not null,
  kind text not null,
  key_hash text not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  allowed_ips text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  name text not null default '',
  -- Who made the key: what it asks for is never approved by its maker.
  created_by uuid,
  -- As it was then, also when the person has left.
  created_by_name text,
  -- Made for trying the API reference.
  for_reference boolean not null default false,
  -- Null: under the first pepper of this database.
  pepper_id text,
  constraint api_keys_pk primary key (merchant_id, id),
  constraint api_keys_hash_unique unique (merchant_id, key_hash),
  constraint api_keys_merchant foreign key (merchant_id) references merchants(id),
  constraint api_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint api_keys_kind check (kind in ('SECRET', 'PUBLIC'))
);

-- Directory: the hash of a key leads to its merchant. Written before the key, so that finding a key never asks every
-- merchant's rows.
create table api_key_directory (
  key_hash text not null,
  merchant_id uuid not null,
  key_id uuid not null,
  constraint api_key_directory_pk primary key (key_hash)
);

-- One PIN per merchant and mode: guessing in the sandbox reveals nothing of live money and locks none of it.
create table pins (
  merchant_id uuid not null,
  mode text not null,
  -- The last of the hashes over each other: under the peppers of `pepper_ids` in their order, the slow one behind the
  -- first.
  hash text not null,
  -- Null: under the first pepper of this database.
  pepper_ids text[],
  -- Parameters and salt of the slow hash; null where there is none.
  slow text,
  version integer not null,
  failed_attempts integer not null,
  last_failed_at timestamptz,
  locked_until timestamptz,
  set_at timestamptz not null,
  constraint pins_pk primary key (merchant_id, mode),
  constraint pins_merchant foreign key (merchant_id) references merchants(id),
  constraint pins_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint pins_version check (version >= 1),
  constraint pins_failed_attempts check (failed_attempts >= 0 and failed_attempts <= 5)
);

-- The ids of the peppers that keyed hashes of this database were made under: a start without one that is still needed
-- is refused. The peppers themselves are never here.
create table peppers (
  id text not null,
  first_used_at timestamptz not null,
  constraint peppers_pk primary key (id)
);

-- ==== 0005_wallets ====

-- The public side of a customer's account: its bank account number. The id is the account's.
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
  constraint wallets_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint wallets_account_number check (account_number ~ '^[0-9]{10}$')
);
create unique index wallets_owner_unique on wallets (merchant_id, mode, owner_id) where created_at > '-infinity';

-- Directory: an account number belongs to one wallet of the whole installation. Written before the wallet.
create table account_numbers (
  account_number text not null,
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  created_at timestamptz not null,
  constraint account_numbers_pk primary key (account_number)
);

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
  constraint transactions_status check (status in ('PENDING_APPROVAL', 'SCHEDULED', 'QUEUED', 'PROCESSING',
      'SUCCESS', 'FAILED', 'REVERSED', 'CANCELLED')),
  constraint transactions_amounts check (amount_minor > 0 and charges_minor >= 0),
  constraint transactions_category check (category in ('STORE_TO_MERCHANT', 'SUBACCOUNT', 'SUBACCOUNT_TO_MERCHANT',
      'WALLET_FUNDING', 'COLLECTION', 'MANUAL_CREDIT', 'PAYOUT', 'REFUND', 'DISPUTE', 'RECEIVABLE_REPAYMENT', 'RESERVE',
      'RESERVE_RELEASE'))
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
create index transactions_batch on transactions (merchant_id, batch_id, id) where batch_id is not null;
create index transactions_by_reference on transactions (merchant_id, mode, client_reference) where client_reference
    is not null;
create index transactions_by_time on transactions (merchant_id, mode, created_at, id) where created_at >
    '-infinity';
create index transactions_by_account on transactions (merchant_id, mode, beneficiary_account_number, created_at, id)
    where category = 'PAYOUT' and beneficiary_account_number > '';
create index transactions_by_category on transactions (merchant_id, mode, category, created_at, id) include (status)
    where category <> 'STORE_TO_MERCHANT';
create index transactions_by_status on transactions (merchant_id, mode, status, created_at, id) include (category)
    where status <> 'SUCCESS';
create index transactions_large on transactions (mode, paid_at, id) where category = 'PAYOUT' and amount_minor >=
    100000000;

-- ==== 0006_banks-and-rails ====

-- Reference data: the bank directory. A bank has two codes that are not interchangeable, so both are columns.
create table banks (
  -- What clients send as bankCode: the central bank's code, or the one in common use. The check digit of an account
  -- number is made with it. Where a bank is known by its network code only, both columns have it.
  code text not null,
  -- The six-digit code of the interbank payment network. Null: there is no certain source for it.
  nip_code text,
  name text not null,
  short_name text not null,
  kind text not null,
  active boolean not null,
  constraint banks_pk primary key (code),
  constraint banks_nip_code_unique unique (nip_code),
  constraint banks_code check (code ~ '^([0-9]{3}|[0-9]{5}|[0-9]{6})$'),
  constraint banks_nip_code check (nip_code ~ '^[0-9]{6}$'),
  constraint banks_kind check (kind in ('COMMERCIAL', 'MERCHANT', 'MICROFINANCE', 'MOBILE_MONEY',
      'PAYMENT_SERVICE'))
);

-- The operator's accounts at banks and providers. A row is never deleted: payouts name their rail for ever.
-- sealed_credentials is bound to name, provider, mode and base_url, so none of them can change under it.
create table rail_accounts (
  name text not null,
  provider text not null,
  mode text not null,
  -- Null: the provider's own address.
  base_url text,
  sealed_credentials text not null,
  open_to_merchants boolean not null,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Owner of the receivable accounts that merchants' books have for it.
  id uuid not null,
  constraint rail_accounts_pk primary key (name),
  constraint rail_accounts_id_unique unique (id),
  constraint rail_accounts_name check (name ~ '^[a-z][a-z0-9-]{1,39}$' and name <> 'sandbox'),
  constraint rail_accounts_provider check (provider ~ '^[a-z]{2,40}$'),
  constraint rail_accounts_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- Which rails pay for merchants that chose none. Without a row the sandbox rail plays, and live money goes nowhere.
create table default_rails (
  mode text not null,
  first_rail text not null,
  second_rail text,
  updated_at timestamptz not null,
  constraint default_rails_pk primary key (mode),
  constraint default_rails_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint default_rails_order check (second_rail is null or second_rail <> first_rail)
);

-- Which rails pay for one merchant, where the merchant or the operator chose. Payouts made from then on use them.
create table tenant_rails (
  merchant_id uuid not null,
  mode text not null,
  -- Null: the choice was withdrawn, and the operator's default applies again.
  first_rail text,
  -- Gets only what the first was certainly never asked to send, or definitely refused.
  second_rail text,
  chosen_by text not null,
  chosen_at timestamptz not null,
  constraint tenant_rails_pk primary key (merchant_id, mode),
  constraint tenant_rails_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint tenant_rails_chosen_by check (chosen_by in ('MERCHANT', 'OPERATOR')),
  constraint tenant_rails_order check (second_rail is null or first_rail is not null and second_rail <> first_rail)
);

-- Directory: a provider webhook that does not say whose payout it is about names only the reference. Written before the
-- rail is called.
create table rail_references (
  rail text not null,
  rail_reference text not null,
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  constraint rail_references_pk primary key (rail, rail_reference),
  constraint rail_references_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- The sandbox rail's own books: what the simulated bank received, apart from ours, so that the two can be compared.
create table sandbox_rail_transfers (
  merchant_id uuid not null,
  mode text not null,
  rail_reference text not null,
  amount_minor bigint not null,
  currency text not null,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  narration text not null,
  scenario text not null,
  session_id text not null,
  first_sent_at timestamptz not null,
  -- Null: the message was lost on its way. Set once, however often the reference is sent.
  received_at timestamptz,
  queries integer not null,
  webhooks_delivered integer not null,
  -- Null: the scenario has no webhook left to deliver.
  next_webhook_at timestamptz,
  constraint sandbox_rail_transfers_pkey primary key (merchant_id, mode, rail_reference),
  constraint sandbox_rail_transfers_mode_check check (mode = 'SANDBOX'),
  constraint sandbox_rail_transfers_amount_check check (amount_minor > 0)
);
create index sandbox_rail_transfers_next_webhook_idx on sandbox_rail_transfers (merchant_id, mode, next_webhook_at)
    where next_webhook_at is not null;
create index sandbox_rail_transfers_scenarios on sandbox_rail_transfers (merchant_id, mode) where scenario <>
    'success';

-- ==== 0007_payouts ====

-- What a payout needs besides its transaction: rail, charges, holds, and when a worker must next act. This row is the
-- queue. The state is in transactions.status only.
create table payouts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  batch_id uuid,
  purpose text not null,
  phone_number text,
  rail text not null,
  rail_reference text not null,
  -- Sandbox only: the scenario that the request named.
  scenario text,
  scheduled_for timestamptz,
  next_step text not null,
  -- Null: nobody has to act any more. While a worker has it, the end of that worker's lease.
  due_at timestamptz,
  attempts integer not null,
  first_sent_at timestamptz,
  session_id text,
  rail_code text,
  fee_minor bigint not null,
  vat_minor bigint not null,
  stamp_duty_minor bigint not null,
  -- Null until the holds are made; a hold of zero is none.
  amount_hold_id uuid,
  fee_hold_id uuid,
  vat_hold_id uuid,
  stamp_duty_hold_id uuid,
  -- The day (Africa/Lagos) whose limit it was counted against, so that a failed one releases its part. Null: it was not
  -- counted.
  counted_on date,
  -- The worker's lease has an id: it is renewed while the worker lives, and nobody mistakes another's lease for its
  -- own. Null: nobody has one.
  lease_id uuid,
  -- The latest moment at which its rail may have been asked to send it; null where that rail certainly was not. Until a
  -- while after it, "not found" is no reason to send again.
  sent_at timestamptz,
  -- The rail that refused it before it failed over to another.
  refused_by text,
  -- The rail whose response ended it. A rail that lost the payout to another can no longer end it: the check refuses
  -- that.
  ended_by text,
  -- Why a person has to look into it.
  operator_reason text,
  operator_since timestamptz,
  -- Null: it needed none.
  approval_id uuid,
  -- The version of the approval rules by which it needed an approval or none, so that a proof need not guess. Null: the
  -- merchant had no rules.
  rules_version integer,
  -- Accepted although the same was paid: one that is scheduled or approved later has to know.
  allow_duplicate boolean not null default false,
  constraint payouts_pk primary key (merchant_id, mode, id),
  constraint payouts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payouts_next_step check (next_step in ('FIRE', 'SEND', 'QUERY')),
  constraint payouts_scenario_sandbox_only check (scenario is null or mode = 'SANDBOX'),
  constraint payouts_charges check (fee_minor >= 0 and vat_minor >= 0 and stamp_duty_minor >= 0),
  constraint payouts_sent_is_held check (next_step = 'FIRE' or amount_hold_id is not null),
  constraint payouts_ended_by_its_rail check (ended_by is null or ended_by = rail),
  constraint payouts_failed_over_to_another_rail check (refused_by is null or refused_by <> rail),
  constraint payouts_operator_both check ((operator_reason is null) = (operator_since is null)),
  constraint payouts_purpose check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT', 'SETTLEMENT', 'REFUND')),
  constraint payouts_operator_reason check (operator_reason in ('UNKNOWN_TOO_LONG', 'RAIL_CONTRADICTS',
      'RAIL_ANSWER_MISMATCH', 'APPROVAL_SUBJECT_ALTERED', 'UNDER_REVIEW'))
) with (fillfactor = 80);
create index payouts_due on payouts (merchant_id, mode, due_at, id) where due_at is not null;
create index payouts_scheduled on payouts (merchant_id, mode, id) where scheduled_for is not null;
create index payouts_due_singles on payouts (merchant_id, mode, due_at, id) where due_at is not null and batch_id is
    null;
create index payouts_for_operator on payouts (merchant_id, operator_since) where operator_reason is not null;
create index payouts_due_at on payouts (due_at) where due_at > '-infinity';

-- Every call to a rail leaves a row before it is made; a provider webhook, a settlement line and an operator's decision
-- leave one too. Together they are the evidence for the outcome.
create table payout_attempts (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  -- Sorts by time.
  id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  -- Null: there is no answer, because the call is under way or its worker died.
  ended_at timestamptz,
  outcome text,
  code text,
  reason text,
  message text,
  session_id text,
  rail text not null default 'sandbox',
  -- JSON text: what the rail reported of the transfer (reference, amount, currency, account, bank). An answer is
  -- believed only about the transfer that was sent. Null: it reported nothing.
  reported text,
  -- A digest of the row, by which the proof finds altered evidence.
  digest text,
  constraint payout_attempts_pk primary key (merchant_id, mode, payout_id, id),
  constraint payout_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_attempts_outcome check (outcome in ('succeeded', 'failed', 'unknown', 'not_found', 'reversed')),
  constraint payout_attempts_ended check ((ended_at is null) = (outcome is null)),
  constraint payout_attempts_kind check (kind in ('SEND', 'QUERY', 'PROVIDER_WEBHOOK', 'SETTLEMENT', 'OPERATOR'))
);

-- Fees, VAT and stamp duty change by decree on a date, so they are dated rows. A rule applies to amounts from
-- min_amount_minor to max_amount_minor, both included, and from effective_from up to, but not at, effective_to. It
-- charges flat_minor plus rate_basis_points of its base, at most cap_minor. The base is the amount of the payout for
-- TRANSFER_FEE and STAMP_DUTY, the amount of the payment in for COLLECTION_FEE, and the fee for VAT. rounding says what
-- becomes of a fraction of a minor unit.
create table fee_rules (
  id text not null,
  currency text not null,
  kind text not null,
  min_amount_minor bigint not null,
  max_amount_minor bigint,
  flat_minor bigint not null,
  rate_basis_points integer not null,
  payer text not null,
  exempt_purposes text[] not null,
  rounding text not null,
  effective_from timestamptz not null,
  effective_to timestamptz,
  source text not null,
  -- A digest of the row as it was made: an altered rule that has priced nothing yet would otherwise be seen by nobody.
  digest text,
  -- The most that the rule charges, however large its base. Null: no cap. Part of the digest only where there is one:
  -- older digests are without it.
  cap_minor bigint,
  -- Of a COLLECTION_FEE: it prices payments of this channel alone, before the rule for all. Null: all. Part of the
  -- digest only where there is one.
  channel text,
  constraint fee_rules_pk primary key (id),
  constraint fee_rules_currency check (currency ~ '^[A-Z]{3}$'),
  constraint fee_rules_amounts check (min_amount_minor >= 0 and max_amount_minor >= min_amount_minor),
  constraint fee_rules_flat check (flat_minor >= 0),
  constraint fee_rules_rate check (rate_basis_points >= 0 and rate_basis_points <= 10000),
  constraint fee_rules_payer check (payer in ('SENDER', 'RECEIVER')),
  constraint fee_rules_rounding check (rounding in ('HALF_UP', 'HALF_EVEN', 'DOWN', 'UP')),
  constraint fee_rules_effective check (effective_to > effective_from),
  constraint fee_rules_kind check (kind in ('TRANSFER_FEE', 'VAT', 'STAMP_DUTY', 'COLLECTION_FEE')),
  constraint fee_rules_cap check (cap_minor >= 0),
  constraint fee_rules_collection check (kind <> 'COLLECTION_FEE' or payer = 'RECEIVER' and exempt_purposes = '{}'),
  constraint fee_rules_channel check (channel is null or kind = 'COLLECTION_FEE' and (channel in ('BANK_TRANSFER',
      'CARD', 'USSD')))
);

-- How much a merchant may pay out, as dated rows. A row applies from effective_from up to, but not at, effective_to: a
-- merchant's own before the one for all merchants, and of several the one that began last. Null is no limit; a window
-- of zero seconds is no guard. A day begins at midnight in Lagos.
create table payout_limits (
  id text not null,
  -- Null: all merchants.
  merchant_id uuid,
  mode text not null,
  per_payout_minor bigint,
  per_day_minor bigint,
  duplicate_window_seconds integer not null,
  effective_from timestamptz not null,
  effective_to timestamptz,
  -- Who decided it, and why.
  source text not null,
  -- A merchant may limit itself more tightly than the operator does. The stricter limit counts.
  owner text not null default 'OPERATOR',
  constraint payout_limits_pk primary key (id),
  constraint payout_limits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_limits_amounts check (per_payout_minor > 0 and per_day_minor > 0),
  constraint payout_limits_window check (duplicate_window_seconds >= 0 and duplicate_window_seconds <= 2592000),
  constraint payout_limits_effective check (effective_to > effective_from),
  constraint payout_limits_owner check (owner in ('OPERATOR', 'MERCHANT'))
);
create index payout_limits_of_merchant on payout_limits (owner, merchant_id, mode, effective_from, id);

-- One amount to one account, for the time at which it is paid: whatever pays the same within the window is a duplicate.
-- Many payouts may hold one key, so one that fails releases its own and no other's.
create table dedupe_keys (
  merchant_id uuid not null,
  mode text not null,
  -- The payout.
  subject_id uuid not null,
  -- PAID: for the time at which it is paid. WAITING: it may be paid as soon as people approve it. A day in Lagos: a
  -- schedule for that day, for the time at which it was asked for.
  scope text not null,
  -- Bank, account, amount and currency.
  value text not null,
  batch_id uuid,
  from_at timestamptz not null,
  until_at timestamptz not null,
  -- How long the same counted as a duplicate when it was noted.
  window_seconds integer not null,
  -- Accepted although the same was there: it was meant twice.
  is_meant boolean not null,
  -- The event of the movement that noted it: the order in which keys were noted.
  sequence bigint not null,
  constraint dedupe_keys_pk primary key (merchant_id, mode, subject_id, scope),
  constraint dedupe_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dedupe_keys_span check (from_at <= until_at)
);
create index dedupe_keys_taken on dedupe_keys (merchant_id, mode, scope, value, until_at) where until_at >
    '-infinity';
create index dedupe_keys_since on dedupe_keys (merchant_id, mode, sequence) where sequence >= 0;

-- The outcome of a payout whose rail stays silent is decided by two people with a stated source. Every proposal is
-- kept, also those that were rejected or overtaken.
create table outcome_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payout_id uuid not null,
  outcome text not null,
  source text not null,
  note text not null,
  -- Fingerprint of what was known about the payout: a proposal made on other facts is not confirmed.
  facts_digest text not null,
  status text not null,
  -- Why it was rejected or overtaken.
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  -- SHA-256 in hex over what was proposed: what the second person confirms is what the first one brought.
  digest text,
  constraint outcome_proposals_pk primary key (merchant_id, mode, id),
  constraint outcome_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint outcome_proposals_outcome check (outcome in ('SUCCEEDED', 'FAILED', 'REVERSED')),
  constraint outcome_proposals_source check (source in ('BANK_LETTER', 'RAIL_DASHBOARD', 'SETTLEMENT_FILE',
      'RAIL_SUPPORT', 'OTHER')),
  constraint outcome_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'STALE')),
  constraint outcome_proposals_two_people check (decided_by <> proposed_by or status = 'REJECTED')
);
create unique index outcome_proposals_one_open on outcome_proposals (merchant_id, mode, payout_id) where status =
    'PENDING';
create index outcome_proposals_of_payout on outcome_proposals (merchant_id, mode, payout_id, id);

-- ==== 0008_batches ====

-- A bulk payout: its items are checked, corrected and then paid together. Every change takes the next version, so that
-- a dispatch pays exactly the items that it read. The row counts its items as they progress, so that nobody has to
-- count them.
create table batches (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  status text not null,
  reason text,
  purpose text not null,
  scenario text,
  version integer not null,
  item_count integer not null,
  -- Payouts of this batch that have not ended; counted down as they end.
  open_items integer not null,
  -- When a worker must next act: to validate, to expire or to conclude. Null: never again.
  due_at timestamptz,
  expires_at timestamptz not null,
  dispatched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  source text not null default 'JSON',
  file_name text,
  valid_items integer not null default 0,
  invalid_items integer not null default 0,
  succeeded_items integer not null default 0,
  failed_items integer not null default 0,
  reversed_items integer not null default 0,
  -- Digest of the items as they were at digest_version; valid only while that is the batch's version.
  items_digest text,
  digest_version integer,
  -- What was held at dispatch; null before.
  amount_minor bigint,
  fee_minor bigint,
  vat_minor bigint,
  stamp_duty_minor bigint,
  -- Position of the last item that this pass checked. Items about which the rail was silent are left to the next pass.
  looked_up_to integer not null default 0,
  -- Since when a bank has not answered.
  silent_since timestamptz,
  -- Checked items with a warning, which does not stop a payment and so must be seen.
  warned_items integer not null default 0,
  -- Items where the bank's name is not much like the given one.
  low_match_items integer not null default 0,
  -- What a client was shown of the batch when it was dispatched.
  dispatched_digest text,
  -- The day (Africa/Lagos) whose limit its payouts were counted against. Null before the dispatch.
  counted_on date,
  approval_id uuid,
  -- As in payouts.
  rules_version integer,
  -- Items that repeat what was paid or waits. A dispatch is held to the figure that was shown.
  duplicate_items integer not null default 0,
  duplicate_minor bigint not null default 0,
  -- Its items count as taken by others although they have no keys yet: it waits for approval, or has chunks to expand.
  holds_keys boolean not null default false,
  -- The event since which they do. Null: never.
  holding_since bigint,
  -- As it was dispatched.
  allow_duplicate boolean not null default false,
  -- The group action that is being carried out: its rows are not changed otherwise. Null: none.
  action_id uuid,
  -- The batch whose failed and returned payouts it pays again. Null: none.
  origin_batch_id uuid,
  -- What its valid items come to, without charges: counted as valid_items is.
  valid_minor bigint not null default 0,
  -- What its payouts that succeeded come to, without charges: counted as succeeded_items is.
  succeeded_minor bigint not null default 0,
  -- The earlier batch that it was made from, to pay the same people once more. Null: none.
  repeated_batch_id uuid,
  constraint batches_pk primary key (merchant_id, mode, id),
  constraint batches_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batches_purpose check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT')),
  constraint batches_status check (status in ('VALIDATING', 'NEEDS_FIX', 'READY', 'PENDING_APPROVAL', 'DISPATCHING',
      'COMPLETED', 'PARTIALLY_COMPLETED', 'CANCELLED', 'EXPIRED')),
  constraint batches_counts check (item_count >= 0 and open_items >= 0),
  constraint batches_source check (source in ('JSON', 'CSV', 'XLSX'))
);
create index batches_due on batches (merchant_id, mode, due_at) where due_at is not null;
create index batches_holding_keys on batches (merchant_id, mode, id) where holds_keys;
create index batches_waiting on batches (merchant_id, mode, id) where status in ('VALIDATING', 'NEEDS_FIX',
    'READY');
create index batches_by_origin on batches (merchant_id, mode, origin_batch_id) where origin_batch_id is not null;
create index batches_due_at on batches (due_at) where due_at > '-infinity';

-- One row of a bulk payout, kept as it was given, right or wrong. When it is dispatched it becomes the payout with the
-- same id.
create table batch_items (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  batch_id uuid not null,
  position integer not null,
  amount_minor bigint not null,
  bank_code text not null,
  account_number text not null,
  narration text not null,
  phone_number text,
  account_name text,
  bank_name text,
  is_valid boolean not null,
  -- Null: it was not checked yet.
  validated_at timestamptz,
  created_at timestamptz not null,
  -- The name that the file gave.
  given_name text,
  -- 0 to 100; null where no name was given or the bank has not answered.
  match_score integer,
  -- The text of an amount that could not be read; its amount_minor is zero. Null for every other.
  given_amount text,
  -- The directory's code of the bank, where the given one is another of its codes.
  directory_bank_code text,
  -- JSON: what the item repeats. Null: nothing.
  repeats text,
  -- Why it cannot be paid: JSON array of {code, field, params}; null for an item that can be, or was not checked yet.
  item_errors text,
  -- What was noticed or corrected, in the same way; null for nothing.
  item_warnings text,
  -- JSON array of the codes of warnings that somebody accepted; null for none. A change of the item takes it back.
  accepted text,
  -- The item of the origin batch that it pays again. Null: none.
  origin_item_id uuid,
  constraint batch_items_pk primary key (merchant_id, mode, id),
  constraint batch_items_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_items_match_score check (match_score >= 0 and match_score <= 100),
  constraint batch_items_valid check (not is_valid or validated_at is not null and item_errors is null and
      account_name is not null and bank_name is not null and amount_minor > 0)
) with (fillfactor = 60);
create index batch_items_batch on batch_items (merchant_id, batch_id, "position");
create index batch_items_by_account on batch_items (merchant_id, batch_id, account_number, amount_minor, "position")
    where "position" > 0;

-- A dispatch holds the money of up to 100,000 items in chunks: few holds, made in one movement. A worker then expands a
-- chunk by turning its hold into the holds of its items, so that any number of workers share a batch.
create table batch_chunks (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  -- From 1.
  chunk integer not null,
  -- Its id in the books: the transaction that its holds belong to.
  id uuid not null,
  first_position integer not null,
  last_position integer not null,
  item_count integer not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  vat_minor bigint not null,
  stamp_duty_minor bigint not null,
  amount_hold_id uuid not null,
  -- A hold of zero is none.
  fee_hold_id uuid,
  vat_hold_id uuid,
  stamp_duty_hold_id uuid,
  -- When a worker may expand it; while one does, the end of its lease. Null: it is expanded.
  due_at timestamptz,
  -- It could not be expanded, and waits for its next attempt.
  failed_at timestamptz,
  -- SHA-256 in hex over its items as they were dispatched: the chunk is expanded into exactly those.
  items_digest text,
  constraint batch_chunks_pk primary key (merchant_id, mode, batch_id, chunk),
  constraint batch_chunks_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_chunks_amounts check (item_count > 0 and amount_minor > 0 and fee_minor >= 0 and vat_minor >= 0
      and stamp_duty_minor >= 0)
);
create index batch_chunks_due on batch_chunks (merchant_id, mode, due_at) where due_at is not null;

-- Rows of a file are written in pieces before their batch exists. This row says that they are expected; the movement
-- that makes the batch deletes it, and rows of an upload that was cut off are found by it and deleted.
create table batch_uploads (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  started_at timestamptz not null,
  constraint batch_uploads_pk primary key (merchant_id, mode, batch_id),
  constraint batch_uploads_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0009_approvals ====

-- Maker-checker: what one person made waits here until others have approved exactly what is shown, by its digest.
create table approvals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  kind text not null,
  -- The payout, the batch, the beneficiary, or the change itself.
  subject_id uuid not null,
  title text not null,
  amount_minor bigint,
  charges_minor bigint,
  currency text not null,
  -- SHA-256 over what is shown. An approver sends the one that they saw.
  digest text not null,
  -- JSON text: an array of field, label, value, subjectType and subjectId. Nothing decides by a label.
  shown text not null,
  -- JSON text: what the last approval puts into force.
  payload text not null,
  status text not null,
  reason text,
  needed integer not null,
  given integer not null,
  -- The rules by which it is needed; later rules change nothing about it.
  rules_version integer not null,
  -- Null: a key of the operator's terminal, which nobody made.
  made_by uuid,
  made_by_name text not null,
  made_via text not null,
  made_by_key uuid,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  updated_at timestamptz not null,
  -- Whoever decides sees where the request came from, as the audit log has it.
  made_ip text,
  constraint approvals_pk primary key (merchant_id, mode, id),
  constraint approvals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approvals_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID')),
  constraint approvals_made_via check (made_via in ('DASHBOARD', 'API')),
  constraint approvals_counted check (needed >= 1 and needed <= 5 and given >= 0 and given <= needed),
  constraint approvals_kind check (kind in ('PAYOUT', 'SCHEDULE', 'BATCH', 'LIMIT', 'BENEFICIARY', 'RULES',
      'REFUND'))
);
create index approvals_of_subject on approvals (merchant_id, mode, subject_id);
create index approvals_by_status on approvals (merchant_id, mode, status, id);
create index approvals_open on approvals (merchant_id, mode, expires_at) where status = 'PENDING';
create index approvals_by_maker on approvals (merchant_id, mode, made_by, id);
create index approvals_by_key on approvals (merchant_id, mode, made_by_key, id);

-- Who decided what about an approval, one decision per person. Rows are only added.
create table approval_decisions (
  merchant_id uuid not null,
  mode text not null,
  approval_id uuid not null,
  person_id uuid not null,
  decision text not null,
  person_name text not null,
  person_role text not null,
  -- What the person was shown.
  digest text not null,
  note text,
  decided_at timestamptz not null,
  constraint approval_decisions_pk primary key (merchant_id, mode, approval_id, person_id),
  constraint approval_decisions_approval foreign key (merchant_id, mode, approval_id) references
      approvals(merchant_id, mode, id),
  constraint approval_decisions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approval_decisions_decision check (decision in ('APPROVE', 'REJECT'))
);

-- How many people a payout needs. Each version stays, so that what was needed at any time can be proved later. A mode
-- of a merchant without a row follows the merchant's flag alone, with one approval.
create table approval_rules (
  merchant_id uuid not null,
  mode text not null,
  version integer not null,
  id uuid not null,
  is_enabled boolean not null,
  -- JSON text: from which amount, in kobo, how many approvals.
  tiers text not null,
  -- The approval that put it into force; null where none was needed.
  approval_id uuid,
  made_by uuid,
  made_at timestamptz not null,
  -- Where approvers have left until nobody can change the rules, the operator switches approvals off from the terminal:
  -- who, and why.
  operator text,
  reason text,
  constraint approval_rules_pk primary key (merchant_id, mode, version),
  constraint approval_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approval_rules_version check (version > 0),
  constraint approval_rules_operator check ((operator is null) = (reason is null) and (operator is null or not
      is_enabled and made_by is null and approval_id is null))
);

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
create unique index beneficiaries_once on beneficiaries (merchant_id, mode, bank_code, account_number) where status
    <> 'REMOVED';

-- ==== 0010_webhooks ====

-- Where a tenant's events are delivered. Events are not copied per address: an endpoint remembers how far it has come,
-- so a transfer pays nothing for its delivery and no event can be left out.
create table webhook_endpoints (
  merchant_id uuid not null,
  mode text not null,
  -- A new one for every address: failures of one address do not count against the next.
  id uuid not null,
  -- Empty: there is none.
  url text not null,
  status text not null,
  reason text,
  -- Every event up to here was sent once, or is older than the address.
  cursor_sequence bigint not null,
  -- When the next delivery is due again; null: none is.
  retry_at timestamptz,
  failures_in_a_row integer not null,
  paused_until timestamptz,
  lease_id uuid,
  lease_until timestamptz,
  tested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- One call after the other, in the order of the events. False: several at once, where the merchant wants it so.
  ordered boolean not null default true,
  constraint webhook_endpoints_pk primary key (merchant_id, mode),
  constraint webhook_endpoints_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint webhook_endpoints_status check (status in ('ENABLED', 'DISABLED')),
  constraint webhook_endpoints_cursor check (cursor_sequence >= 0),
  constraint webhook_endpoints_failures check (failures_in_a_row >= 0)
) with (fillfactor = 50);
create index webhook_endpoints_enabled on webhook_endpoints (merchant_id, mode) where url <> '' and status =
    'ENABLED';
create index webhook_endpoints_to_retry on webhook_endpoints (retry_at) where retry_at is not null and url <> '' and
    status = 'ENABLED';

-- What a receiver verifies signatures with, sealed. There are several while a tenant rotates them.
create table webhook_secrets (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  sealed text not null,
  created_at timestamptz not null,
  -- Null: the present one. Those before it sign along until then.
  expires_at timestamptz,
  constraint webhook_secrets_pk primary key (merchant_id, mode, id),
  constraint webhook_secrets_mode check (mode in ('SANDBOX', 'LIVE'))
);
create unique index webhook_secrets_one_present on webhook_secrets (merchant_id, mode) where expires_at is null;

-- The delivery of one event: its state, and when it is due again.
create table webhook_deliveries (
  merchant_id uuid not null,
  mode text not null,
  -- The event's: the same in every call, so that a receiver recognises a repetition.
  id uuid not null,
  sequence bigint not null,
  type text not null,
  status text not null,
  -- Scheduled calls; replays on request are not counted.
  attempts integer not null,
  next_attempt_at timestamptz,
  -- Somebody requested a replay.
  replay_at timestamptz,
  last_attempt_id uuid not null,
  delivered_at timestamptz,
  created_at timestamptz not null,
  constraint webhook_deliveries_pk primary key (merchant_id, mode, id),
  constraint webhook_deliveries_sequence unique (merchant_id, mode, sequence),
  constraint webhook_deliveries_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint webhook_deliveries_status check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  constraint webhook_deliveries_open check ((next_attempt_at is not null) = (status = 'PENDING')),
  constraint webhook_deliveries_delivered check ((delivered_at is not null) = (status = 'DELIVERED'))
);
create index webhook_deliveries_by_status on webhook_deliveries (merchant_id, mode, status, sequence) where status
    <> 'DELIVERED';
create index webhook_deliveries_by_type on webhook_deliveries (merchant_id, mode, type, sequence);
create index webhook_deliveries_due on webhook_deliveries (merchant_id, mode, next_attempt_at) where next_attempt_at
    is not null;
create index webhook_deliveries_replays on webhook_deliveries (merchant_id, mode, replay_at) where replay_at is not
    null;

-- Every call that was made for a delivery: the log that answers "you never notified us".
create table webhook_attempts (
  merchant_id uuid not null,
  mode text not null,
  delivery_id uuid not null,
  id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Null: no answer came.
  status_code integer,
  -- The beginning of the response body.
  answer text,
  -- Why it does not count as delivered, in words; null when it does.
  error text,
  constraint webhook_attempts_pk primary key (merchant_id, mode, delivery_id, id),
  constraint webhook_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint webhook_attempts_kind check (kind in ('SCHEDULED', 'REPLAY'))
);

-- ==== 0011_reconciliation ====

-- A settlement file of a rail: what it says it paid, returned or refused. It is the operator's, across merchants.
create table settlement_imports (
  id uuid not null,
  rail text not null,
  mode text not null,
  -- Whose file it is, where the rail keeps each merchant's books apart.
  merchant_id uuid,
  file_name text not null,
  -- SHA-256 of the file, hex: the same file is imported once.
  file_hash text not null,
  status text not null,
  line_count integer not null,
  -- The first and the last moment that its lines name: what is missing there is looked for between them.
  period_from timestamptz,
  period_to timestamptz,
  imported_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A digest of the row, by which the proof finds an altered one.
  digest text,
  constraint settlement_imports_pk primary key (id),
  constraint settlement_imports_once unique (rail, mode, file_hash),
  constraint settlement_imports_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint settlement_imports_status check (status in ('LOADING', 'MATCHING', 'SETTLING', 'DONE'))
);

-- A line of a settlement file as it was read, the result of the comparison with our books, and who resolved it.
create table settlement_lines (
  import_id uuid not null,
  id uuid not null,
  -- As in the file, the header being one. Null: the file has no such line, and should (MISSING_THERE).
  line_number integer,
  reference text,
  session_id text,
  amount_minor bigint,
  currency text,
  occurred_at timestamptz,
  status_text text,
  kind text not null,
  -- Null: not compared yet.
  result text,
  detail text,
  -- The payout that it is about, and what our books said then.
  merchant_id uuid,
  payout_id uuid,
  our_status text,
  our_amount_minor bigint,
  resolved_how text,
  resolved_note text,
  resolved_by text,
  resolved_at timestamptz,
  -- True where the rail's statement is final and ours is the same: the amount leaves our clearing for the rail's float.
  settles boolean not null,
  settled_at timestamptz,
  -- A line settles or ends a payout only where it is about that payout: also by account and currency.
  account_number text,
  bank_code text,
  -- A digest of the row, by which the proof finds an altered one.
  digest text,
  constraint settlement_lines_pk primary key (import_id, id),
  constraint settlement_lines_kind check (kind in ('PAID', 'REVERSED', 'FAILED', 'UNCLEAR')),
  constraint settlement_lines_result check (result in ('MATCHED', 'MISSING_HERE', 'MISSING_THERE', 'AMOUNT_DIFFERS',
      'CURRENCY_DIFFERS', 'ACCOUNT_DIFFERS', 'DATE_DIFFERS', 'STATUS_DIFFERS', 'LATE_REVERSAL', 'DUPLICATE_LINE',
      'UNREADABLE')),
  constraint settlement_lines_resolved check ((resolved_at is null) = (resolved_how is null)),
  constraint settlement_lines_resolved_how check (resolved_how in ('APPLIED', 'ACCEPTED', 'FOUND_LATER'))
);
create unique index settlement_lines_by_number on settlement_lines (import_id, line_number) where line_number is not
    null;
create index settlement_lines_by_reference on settlement_lines (import_id, reference) where reference is not null;
create index settlement_lines_by_payout on settlement_lines (import_id, payout_id) where payout_id is not null;
create index settlement_lines_to_settle on settlement_lines (import_id, kind, merchant_id, id) where settles and
    settled_at is null;
create index settlement_lines_open on settlement_lines (import_id) where result <> 'MATCHED' and resolved_at is
    null;
create unique index settlement_lines_missing_once on settlement_lines (payout_id) where result = 'MISSING_THERE' and
    resolved_at is null;
create index settlement_lines_in_order on settlement_lines (import_id, coalesce(line_number, 2147483647), id);

-- Which payouts the rail's own file confirmed, each once: the amount has left the float. A return is settled the other
-- way.
create table payout_settlements (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  kind text not null,
  amount_minor bigint not null,
  -- The transfer that moved it together with others. Null: it was returned before it was settled, so nothing moved.
  transfer_id uuid,
  import_id uuid not null,
  settled_at timestamptz not null,
  constraint payout_settlements_pk primary key (merchant_id, mode, payout_id, kind),
  constraint payout_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_settlements_kind check (kind in ('PAID', 'RETURNED')),
  constraint payout_settlements_amount check (amount_minor > 0)
);

-- Each comparison of what the rails hold for us with what our books say, so that a drift shows when it began.
create table float_checks (
  id uuid not null,
  rails text not null,
  mode text not null,
  merchant_id uuid,
  currency text not null,
  -- What the rails say.
  rail_minor bigint not null,
  -- What our books say was put there, less what the rails confirmed that they paid.
  float_minor bigint not null,
  -- Paid by our books and not confirmed by a file yet.
  unsettled_minor bigint not null,
  -- Held for payouts without an outcome: some of it may have left.
  held_minor bigint not null,
  difference_minor bigint not null,
  checked_by text not null,
  checked_at timestamptz not null,
  -- What providers still owe by our books: some of it may lie with the rail already. Null: from before it was looked
  -- at.
  receivable_minor bigint,
  constraint float_checks_pk primary key (id),
  constraint float_checks_mode check (mode in ('SANDBOX', 'LIVE'))
);
create index float_checks_by_time on float_checks (mode, rails, checked_at);

-- The proofs of the books: the last one can be read at once, whichever process made it.
create table verify_runs (
  id uuid not null,
  state text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  started_by text not null,
  -- JSON, as text: what was looked at and each check.
  report text not null,
  constraint verify_runs_pk primary key (id),
  constraint verify_runs_state check (state in ('RIGHT', 'WRONG', 'FAILED'))
);

-- ==== 0012_audit ====

-- Who did what, from where. Nobody can edit it: the database itself refuses every change but adding.
create table audit_entries (
  -- The nil UUID where the action was no merchant's: the operator's own, or somebody's who was not let in.
  merchant_id uuid not null,
  id uuid not null,
  mode text,
  at timestamptz not null,
  action text not null,
  summary text not null,
  outcome text not null,
  code text,
  -- JSON, as text: it is sealed byte for byte.
  subject text not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  actor_role text,
  session_id text,
  ip text,
  user_agent text,
  request_id text,
  -- The kind of action, so that actions on keys, people and personal data are found among all others. The seal covers
  -- it.
  category text,
  constraint audit_entries_pk primary key (merchant_id, id),
  constraint audit_entries_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint audit_entries_outcome check (outcome in ('ASKED', 'DONE', 'REFUSED')),
  constraint audit_entries_actor_kind check (actor_kind in ('PERSON', 'OPERATOR', 'KEY', 'SYSTEM')),
  constraint audit_entries_category check (category in ('KEYS', 'PEOPLE', 'SIGN_IN', 'PERSONAL_DATA', 'SETTINGS'))
);
create index audit_entries_of_all on audit_entries (id) where at > '-infinity';
create index audit_entries_ended on audit_entries (merchant_id, request_id) where outcome <> 'ASKED';
create index audit_entries_by_actor on audit_entries (merchant_id, actor_id, id);
create index audit_entries_by_category on audit_entries (merchant_id, category, id) where category is not null;
create index audit_entries_of_all_by_category on audit_entries (category, id) where category is not null and at >
    '-infinity';

-- Entries without a seal, a few seconds of them, so that sealing never reads the whole log.
create table audit_unsealed (
  merchant_id uuid not null,
  entry_id uuid not null,
  constraint audit_unsealed_pk primary key (merchant_id, entry_id)
);

-- One chain per merchant: each seal is keyed and covers its entry and the seal before it.
create table audit_seals (
  merchant_id uuid not null,
  sequence bigint not null,
  entry_id uuid not null,
  seal text not null,
  sealed_at timestamptz not null,
  -- Null: under the first pepper of this database.
  pepper_id text,
  constraint audit_seals_pk primary key (merchant_id, sequence),
  constraint audit_seals_once unique (merchant_id, entry_id),
  constraint audit_seals_sequence check (sequence > 0)
);

-- Requests of a merchant's programs and their answers, without bodies, for a week, so that whoever integrates sees
-- their own mistakes. It may have gaps, which are counted.
create table request_log (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  request_id text not null,
  at timestamptz not null,
  method text not null,
  route text not null,
  url text not null,
  status integer not null,
  code text,
  duration_ms integer not null,
  key_id uuid not null,
  ip text not null,
  idempotency_key text,
  -- The answer was that of an earlier request. Null: from before this was noted.
  replayed boolean,
  -- What was made or changed, as the answer named it: transactionId and its value.
  about text,
  constraint request_log_pk primary key (merchant_id, mode, id),
  constraint request_log_mode check (mode in ('SANDBOX', 'LIVE'))
);
create index request_log_refused on request_log (merchant_id, mode, id) where status >= 400;
create index request_log_by_key on request_log (merchant_id, mode, key_id, id);
create index request_log_by_request on request_log (merchant_id, mode, request_id, id);
create index request_log_by_operation on request_log (merchant_id, mode, method, route, id);

-- How many requests of a second are not in the log, where there were too many to keep.
create table request_log_gaps (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  at timestamptz not null,
  left_out integer not null,
  constraint request_log_gaps_pk primary key (merchant_id, mode, id),
  constraint request_log_gaps_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0018_money-in ====

-- At which provider account wallets get their account numbers. Without a row sandbox wallets have generated numbers,
-- and live wallets none that anybody can pay to.
create table default_wallet_providers (
  mode text not null,
  rail text not null,
  -- In the provider's own words. Null: the provider chooses.
  preferred_bank text,
  updated_at timestamptz not null,
  constraint default_wallet_providers_pk primary key (mode),
  constraint default_wallet_providers_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- An account at a provider, from the request on: of a wallet, or of one customer, whose payments go to that wallet. Its
-- account numbers are in virtual_account_numbers: one provider may give several.
create table virtual_accounts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  wallet_id uuid not null,
  rail text not null,
  status text not null,
  -- Why it is not open yet, could not be opened, or is not closed at the provider yet.
  reason text,
  message text,
  preferred_bank text,
  provider_account_id text,
  attempts integer not null,
  -- When a worker next asks the provider to open it, or to close what is closed here; while one does, the end of its
  -- lease.
  due_at timestamptz,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  -- Whose account it is. Null: the wallet's own.
  customer_id uuid,
  -- The customer as it is reported to the provider, the same each time: some providers know an account by the e-mail
  -- address.
  holder_name text,
  holder_email text,
  holder_phone text,
  -- BVN and NIN of the customer, sealed for this row. Gone once the account is open: nothing needs it any more.
  identity_sealed text,
  -- From then on no wallet is credited with what comes to its numbers.
  closed_at timestamptz,
  constraint virtual_accounts_pk primary key (merchant_id, mode, id),
  constraint virtual_accounts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint virtual_accounts_status check (status in ('REQUESTED', 'OPEN', 'FAILED', 'CLOSED')),
  constraint virtual_accounts_due check (
case status
    when 'REQUESTED' then due_at is not null
    when 'CLOSED'
      then true
    else due_at is null
end),
  constraint virtual_accounts_closed check ((closed_at is not null) = (status = 'CLOSED')),
  constraint virtual_accounts_holder check ((num_nonnulls(customer_id, holder_name, holder_email) in (0, 3)) and
      (customer_id is not null or num_nonnulls(holder_phone, identity_sealed) = 0) and (identity_sealed is null or
      (status in ('REQUESTED', 'FAILED'))))
);
create index virtual_accounts_due on virtual_accounts (merchant_id, mode, due_at) where due_at is not null;
create index virtual_accounts_not_open on virtual_accounts (merchant_id, mode, requested_at, id) where (status in
    ('REQUESTED', 'FAILED')) and requested_at > '-infinity';
create unique index virtual_accounts_one on virtual_accounts (merchant_id, mode, wallet_id, rail) where (status in
    ('REQUESTED', 'OPEN')) and customer_id is null;
create unique index virtual_accounts_one_of_customer on virtual_accounts (merchant_id, mode, customer_id, wallet_id,
    rail) where (status in ('REQUESTED', 'OPEN')) and customer_id is not null;
create index virtual_accounts_of_wallet on virtual_accounts (merchant_id, mode, wallet_id, rail) where customer_id
    is null;
create index virtual_accounts_of_customer on virtual_accounts (merchant_id, mode, customer_id, requested_at, id)
    where customer_id is not null;
create index virtual_accounts_by_time on virtual_accounts (merchant_id, mode, requested_at, id) where requested_at >
    '-infinity';
create index virtual_accounts_by_wallet on virtual_accounts (merchant_id, mode, wallet_id, requested_at, id) where
    requested_at > '-infinity';
create index virtual_accounts_by_status on virtual_accounts (merchant_id, mode, status, requested_at, id) where
    requested_at > '-infinity';
create index virtual_accounts_due_at on virtual_accounts (due_at) where due_at > '-infinity';

-- What a payer types: bank, number, and the name that the payer's bank will show.
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
  constraint virtual_account_numbers_pk primary key (merchant_id, mode, wallet_id, virtual_account_id,
      account_number),
  constraint virtual_account_numbers_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint virtual_account_numbers_number check (account_number ~ '^[0-9]{10}$')
);

-- Directory: an account number at a provider account leads to the wallet that it is for. A provider may give a closed
-- number to somebody else: the older row stays.
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
create index receiving_numbers_of_account on receiving_numbers (virtual_account_id);
create unique index receiving_numbers_one_open on receiving_numbers (account_number, rail) where closed_at is null;

-- Directory: a transfer that arrived at a provider is one payment of one merchant, for ever. Written before the
-- payment, so that whoever finds the transfer again comes to the same payment. Without an owner: it went back to its
-- payer, and is never credited.
create table credit_directory (
  rail text not null,
  provider_transaction_id text not null,
  session_id text,
  merchant_id uuid,
  mode text not null,
  payment_id uuid,
  wallet_id uuid,
  virtual_account_id uuid,
  account_number text,
  noted_at timestamptz not null,
  constraint credit_directory_pk primary key (rail, provider_transaction_id),
  constraint credit_directory_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint credit_directory_owner check (num_nonnulls(merchant_id, payment_id, wallet_id, account_number) in (0,
      4))
);
create unique index credit_directory_by_session on credit_directory (rail, session_id) where session_id is not null;
create index credit_directory_newest on credit_directory (payment_id) where payment_id >
    '00000000-0000-0000-0000-000000000000';
create index credit_directory_by_merchant on credit_directory (merchant_id, payment_id) where payment_id is not
    null;
create index credit_directory_by_account on credit_directory (account_number, payment_id) where payment_id is not
    null;

-- One transfer that a provider confirmed. CREDITED: in the wallet. PENDING_SETTLEMENT: the merchant's, and available
-- once the provider has settled it. SUSPENSE: in the merchant's suspense account until two people decide. Gross: what
-- the provider keeps is its cost.
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
  -- The account of the books that says what the provider owes.
  receivable_id uuid not null,
  payer_name text,
  payer_account_number text,
  payer_bank_name text,
  narration text,
  paid_at timestamptz,
  confirmed_at timestamptz not null,
  updated_at timestamptz not null,
  -- The wallet to which two people attributed it out of suspense. Null: nobody had to.
  attributed_wallet_id uuid,
  -- The operator's fee, taken from the wallet with the credit by the rule in force then; zero while the payment is in
  -- no wallet.
  fee_minor bigint not null default 0,
  -- VAT on the fee.
  vat_minor bigint not null default 0,
  -- The customer whose account number it was paid to, or whom the payment session names. Null: nobody said.
  customer_id uuid,
  -- How it was paid, as the provider says. Null: it does not say, or the payment is from before this was kept.
  channel text,
  -- What of it was kept in reserve when a wallet was credited; see reserves. Zero while the payment is in no wallet.
  reserve_minor bigint not null default 0,
  constraint inbound_payments_pk primary key (merchant_id, mode, id),
  constraint inbound_payments_once unique (merchant_id, mode, rail, provider_transaction_id),
  constraint inbound_payments_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint inbound_payments_reason check (status <> 'SUSPENSE' or reason is not null),
  constraint inbound_payments_amounts check (amount_minor > 0 and provider_fee_minor >= 0),
  constraint inbound_payments_charges check (fee_minor >= 0 and vat_minor >= 0 and (fee_minor + vat_minor) <=
      amount_minor),
  constraint inbound_payments_status check (status in ('CREDITED', 'SUSPENSE', 'RETURNED', 'KEPT',
      'PENDING_SETTLEMENT')),
  constraint inbound_payments_attributed check (attributed_wallet_id is null or (status in ('CREDITED',
      'PENDING_SETTLEMENT', 'RETURNED'))),
  constraint inbound_payments_channel check (channel in ('BANK_TRANSFER', 'CARD', 'USSD')),
  constraint inbound_payments_reserve check (reserve_minor >= 0 and (fee_minor + vat_minor + reserve_minor) <=
      amount_minor)
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
create index inbound_payments_in_suspense on inbound_payments (merchant_id, mode, id) where status = 'SUSPENSE';
create index inbound_payments_of_wallet on inbound_payments (merchant_id, mode, wallet_id, id) where wallet_id is
    not null;
create index inbound_payments_returned_or_kept on inbound_payments (merchant_id, mode, status, id) where status in
    ('RETURNED', 'KEPT');
create index inbound_payments_of_customer on inbound_payments (merchant_id, mode, customer_id, id) where customer_id
    is not null;
create index inbound_payments_pending_settlement on inbound_payments (merchant_id, mode, status, id) where status =
    'PENDING_SETTLEMENT';
create index inbound_payments_large on inbound_payments (mode, confirmed_at, id) where amount_minor >= 100000000;

-- The provider's answer to the query that confirmed a payment, and what made us ask. No payment is without one.
create table inbound_evidence (
  merchant_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  id uuid not null,
  source text not null,
  outcome text not null,
  code text,
  -- JSON text: the transfer as the answer had it.
  reported text not null,
  received_at timestamptz not null,
  -- A digest of the row, by which the proof finds altered evidence.
  digest text not null,
  constraint inbound_evidence_pk primary key (merchant_id, mode, payment_id, id),
  constraint inbound_evidence_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint inbound_evidence_source check (source in ('WEBHOOK', 'POLL', 'CHECK'))
);

-- Credits that were reported and not credited: the provider is asked again, or the operator looks into it. WAITING:
-- asked again when due. UNCONFIRMED: nobody confirmed it for days. NO_OWNER: confirmed, and no wallet has the number.
-- CONTRADICTED: what is confirmed cannot be what was reported, or went back after it was credited. RETURNED and
-- DISMISSED: two people ended it.
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
  -- JSON text: the transfer as the provider confirmed it. Null: it did not.
  confirmed text,
  attempts integer not null,
  due_at timestamptz,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  -- SHA-256 in hex over the row, but for when it is due.
  digest text not null,
  constraint open_credits_pk primary key (rail, credit_key),
  constraint open_credits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint open_credits_due check ((due_at is not null) = (status = 'WAITING')),
  constraint open_credits_status check (status in ('WAITING', 'UNCONFIRMED', 'NO_OWNER', 'CONTRADICTED', 'FAILED',
      'RETURNED', 'DISMISSED', 'DONE'))
);
create index open_credits_due on open_credits (mode, due_at) where due_at is not null;
create index open_credits_to_decide on open_credits (mode, first_seen_at) where status in ('UNCONFIRMED',
    'NO_OWNER', 'CONTRADICTED');

-- Up to when a provider's list of credits was read whole. Each window begins before the last one ended.
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

-- ==== 0019_sandbox-credits ====

-- The simulated bank's own books of money that came in, apart from ours, so that the two can be compared.
create table sandbox_credits (
  merchant_id uuid not null,
  mode text not null,
  -- The provider's transaction id; it names the merchant too.
  id text not null,
  session_id text not null,
  -- To which it was paid: an account number, or our reference of a page of the sandbox.
  account_number text not null,
  amount_minor bigint not null,
  currency text not null,
  payer_name text not null,
  payer_account_number text not null,
  payer_bank_name text not null,
  narration text,
  scenario text not null,
  -- What queries answer in the end; the scenario may have them answer otherwise before.
  status text not null,
  paid_at timestamptz not null,
  -- From when the scenario's seconds count. The sandbox clock moves it; the time of payment stays.
  counted_from timestamptz not null,
  queries integer not null,
  webhooks_delivered integer not null,
  -- Null: the scenario has no webhook left to deliver.
  next_webhook_at timestamptz,
  -- How it was paid.
  channel text not null default 'BANK_TRANSFER',
  constraint sandbox_credits_pk primary key (merchant_id, mode, id),
  constraint sandbox_credits_mode check (mode = 'SANDBOX'),
  constraint sandbox_credits_status check (status in ('SUCCESS', 'PENDING', 'FAILED', 'REVERSED')),
  constraint sandbox_credits_session_id check (session_id ~ '^[0-9]{30}$'),
  constraint sandbox_credits_amount check (amount_minor > 0),
  constraint sandbox_credits_channel check (channel in ('BANK_TRANSFER', 'CARD')),
  constraint sandbox_credits_account_number check (account_number ~ '^([0-9a-f]{32}|[0-9]{10})$' and (channel <>
      'CARD' or length(account_number) = 32))
);
create index sandbox_credits_next_webhook on sandbox_credits (merchant_id, mode, next_webhook_at) where
    next_webhook_at is not null;
create index sandbox_credits_scenarios on sandbox_credits (merchant_id, mode) where scenario <> 'paid';
create index sandbox_credits_paid on sandbox_credits (paid_at, id);
create index sandbox_credits_of_account on sandbox_credits (account_number, paid_at);

-- ==== 0020_manual-credits ====

-- A credit to a wallet for money at the operator's bank, with the bank's reference and a document: proposed by one
-- person and approved by another. Every one is kept, also those that were rejected or withdrawn.
create table manual_credits (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  -- Of the transaction that approving it makes: fixed when it is proposed, so that it is made once.
  transaction_id uuid not null,
  wallet_id uuid not null,
  amount_minor bigint not null,
  currency text not null,
  -- The bank of the operator at which the money arrived.
  bank_code text not null,
  bank_name text not null,
  bank_reference text not null,
  -- The reference as references are compared: capitals, without spaces.
  reference_key text not null,
  -- The day in Lagos on which the bank has it.
  received_on date not null,
  payer_name text not null,
  note text not null,
  document_name text not null,
  document_type text not null,
  document_bytes integer not null,
  -- HMAC of the content: the same document under another credit is noticed.
  document_hash text not null,
  -- SHA-256 in hex over the sealed bytes, which are as they were uploaded.
  document_digest text not null,
  -- AES-256-GCM, bound to this row.
  document_sealed bytea not null,
  -- SHA-256 in hex over all that was proposed: what the second person approves is what the first one brought.
  digest text not null,
  status text not null,
  -- Why it was rejected or withdrawn.
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint manual_credits_pk primary key (merchant_id, mode, id),
  constraint manual_credits_transaction unique (merchant_id, mode, transaction_id),
  constraint manual_credits_wallet foreign key (merchant_id, mode, wallet_id) references wallets(merchant_id, mode,
      id),
  constraint manual_credits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint manual_credits_amount check (amount_minor > 0),
  constraint manual_credits_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  constraint manual_credits_two_people check ((decided_by = proposed_by) = (status = 'WITHDRAWN'))
);
create index manual_credits_waiting on manual_credits (merchant_id, mode, proposed_at, id) where status = 'PENDING';
create index manual_credits_of_wallet on manual_credits (merchant_id, mode, wallet_id, received_on);

-- Directory: a reference of a bank is of one manual credit of the whole installation while that is pending or approved,
-- so that one bank credit is never credited twice.
create table manual_credit_references (
  mode text not null,
  bank_code text not null,
  reference_key text not null,
  merchant_id uuid not null,
  manual_credit_id uuid not null,
  constraint manual_credit_references_pk primary key (mode, reference_key, bank_code),
  constraint manual_credit_references_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0021_payment-sessions ====

-- What a merchant asks somebody to pay once. EXPIRED and CANCELLED end the page, not the account: money that comes
-- later is a payment of its own.
create table payment_sessions (
  merchant_id uuid not null,
  mode text not null,
  -- Without its hyphens, our reference at the provider.
  id uuid not null,
  reference text not null,
  -- SHA-256 of what was asked for: a repeated reference has to ask for the same.
  content_hash text not null,
  status text not null,
  reason text,
  message text,
  -- Taken by every change as a unique key, so that two changes at once both count.
  version integer not null,
  amount_minor bigint not null,
  -- What the payer has to send: more than the amount where the provider adds its fee.
  payable_minor bigint not null,
  received_minor bigint not null,
  currency text not null,
  amount_rule text not null,
  wallet_id uuid not null,
  rail text not null,
  -- What the provider is asked for: an account number or a page.
  opens text not null,
  -- As they were asked for, separated by spaces.
  channels text not null,
  -- What the provider's page may offer, separated by spaces; empty for an account number.
  page_channels text not null,
  customer_name text not null,
  customer_email text not null,
  customer_phone text,
  description text,
  metadata text,
  return_url text,
  cancel_url text,
  -- PUBLIC_KEY: the amount came from a browser, and no server of the merchant has confirmed it. LINK: a payer, within
  -- what the payment link allows.
  opened_by text not null,
  -- Of the browser that opened it; null for whatever is no browser.
  origin text,
  provider_reference text,
  ussd_code text,
  page_url text,
  attempts integer not null,
  -- When a worker next asks the provider, or the end of its lease; once it is open, when it expires.
  due_at timestamptz,
  -- When the provider was last asked at a payer's request.
  checked_at timestamptz,
  opened_at timestamptz,
  paid_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The payment link under which a payer opened it.
  link_id uuid,
  -- The customer that the merchant named. The name and address beside it are as of that moment.
  customer_id uuid,
  fee_bearer text not null default 'MERCHANT',
  -- What the payer is asked for beyond the amount where the customer bears the fee, as quoted when the session was
  -- made. What is charged follows from what arrives.
  fee_minor bigint not null default 0,
  -- The VAT in what was quoted.
  vat_minor bigint not null default 0,
  constraint payment_sessions_pk primary key (merchant_id, mode, id),
  constraint payment_sessions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payment_sessions_status check (status in ('OPENING', 'OPEN', 'PARTIALLY_PAID', 'PAID', 'EXPIRED',
      'CANCELLED', 'FAILED')),
  constraint payment_sessions_amount_rule check (amount_rule in ('EXACT', 'AT_LEAST', 'ANY')),
  constraint payment_sessions_opens check (opens in ('ACCOUNT', 'PAGE')),
  constraint payment_sessions_amounts check (amount_minor > 0 and payable_minor >= amount_minor and received_minor
      >= 0),
  constraint payment_sessions_opened_by check ((opened_by in ('SECRET_KEY', 'PUBLIC_KEY', 'PERSON', 'LINK')) and
      (opened_by = 'LINK') = (link_id is not null)),
  constraint payment_sessions_fee_bearer check (fee_bearer in ('MERCHANT', 'CUSTOMER')),
  constraint payment_sessions_charges check (fee_minor >= 0 and vat_minor >= 0 and (fee_bearer = 'CUSTOMER' or
      (fee_minor + vat_minor) = 0))
);
create index payment_sessions_opening on payment_sessions (merchant_id, mode, due_at) where status = 'OPENING';
create index payment_sessions_expiring on payment_sessions (merchant_id, mode, due_at) where status in ('OPEN',
    'PARTIALLY_PAID');
create index payment_sessions_by_public_key on payment_sessions (merchant_id, mode, created_at) where opened_by =
    'PUBLIC_KEY';
create index payment_sessions_of_link on payment_sessions (merchant_id, mode, link_id, id) where link_id is not
    null;
create index payment_sessions_paid_of_link on payment_sessions (merchant_id, mode, link_id) where link_id is not
    null and status = 'PAID';
create index payment_sessions_of_customer on payment_sessions (merchant_id, mode, customer_id, id) where customer_id
    is not null;
create index payment_sessions_by_opener on payment_sessions (merchant_id, mode, opened_by, id) where opened_by > '';
create index payment_sessions_due_at on payment_sessions (due_at) where (status in ('OPEN', 'PARTIALLY_PAID')) and
    due_at > '-infinity';

-- What a payer types to pay a session: bank, number, and the name that the payer's bank will show.
create table payment_session_accounts (
  merchant_id uuid not null,
  mode text not null,
  session_id uuid not null,
  account_number text not null,
  bank_code text,
  bank_name text not null,
  account_name text not null,
  opened_at timestamptz not null,
  constraint payment_session_accounts_pk primary key (merchant_id, mode, session_id, account_number),
  constraint payment_session_accounts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payment_session_accounts_number check (account_number ~ '^[0-9]{10}$')
);

-- The payments in that came for a session. Each was counted in its own movement, by the version that it took.
create table payment_session_payments (
  merchant_id uuid not null,
  mode text not null,
  session_id uuid not null,
  payment_id uuid not null,
  version integer not null,
  amount_minor bigint not null,
  note text,
  received_at timestamptz not null,
  constraint payment_session_payments_pk primary key (merchant_id, mode, session_id, payment_id),
  constraint payment_session_payments_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payment_session_payments_note check (note in ('SHORT', 'OVERPAID', 'LATE', 'SECOND_PAYMENT')),
  constraint payment_session_payments_amount check (amount_minor > 0)
);

-- What public keys may do in a merchant's name: they sit in browsers, where anybody can read them. Without a row they
-- open nothing.
create table collection_settings (
  merchant_id uuid not null,
  mode text not null,
  public_keys boolean not null,
  -- Origins of the merchant's pages, separated by spaces.
  allowed_origins text not null,
  -- Hosts to which a session that a public key opened may send its payer, separated by spaces.
  allowed_return_hosts text not null,
  max_amount_minor bigint,
  sessions_per_minute integer not null,
  updated_at timestamptz not null,
  constraint collection_settings_pk primary key (merchant_id, mode),
  constraint collection_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint collection_settings_limits check (sessions_per_minute > 0 and (max_amount_minor > 0 and allowed_origins
      <> '' or not public_keys))
);

-- Directory: which origins some merchant allows. A browser asks before it sends its request, and without a key.
create table collection_origins (
  origin text not null,
  merchant_id uuid not null,
  mode text not null,
  constraint collection_origins_pk primary key (origin, merchant_id, mode),
  constraint collection_origins_mode check (mode in ('SANDBOX', 'LIVE'))
);
create index collection_origins_of_merchant on collection_origins (merchant_id, mode);

-- ==== 0022_suspense ====

-- What becomes of a payment in suspense: proposed by one person with evidence, confirmed by another. Every one is kept.
create table suspense_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  action text not null,
  wallet_id uuid,
  amount_minor bigint not null,
  -- SHA-256 in hex over the payment as it was: a proposal about one that has changed is stale.
  facts_digest text not null,
  source text not null,
  note text not null,
  -- SHA-256 in hex over all that was proposed: what the second person confirms.
  digest text not null,
  status text not null,
  -- Why it was rejected or withdrawn, or is stale.
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint suspense_proposals_pk primary key (merchant_id, mode, id),
  constraint suspense_proposals_payment foreign key (merchant_id, mode, payment_id) references
      inbound_payments(merchant_id, mode, id),
  constraint suspense_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint suspense_proposals_action check (action in ('ATTRIBUTE', 'RETURN', 'KEEP')),
  constraint suspense_proposals_wallet check ((wallet_id is not null) = (action = 'ATTRIBUTE')),
  constraint suspense_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'WITHDRAWN', 'STALE')),
  constraint suspense_proposals_two_people check ((decided_by = proposed_by) = (status = 'WITHDRAWN'))
);
create unique index suspense_proposals_one_open on suspense_proposals (merchant_id, mode, payment_id) where status =
    'PENDING';
create index suspense_proposals_of_payment on suspense_proposals (merchant_id, mode, payment_id, id);

-- What becomes of a reported credit that is in no merchant's books: proposed by one person with evidence, confirmed by
-- another. Every one is kept.
create table open_credit_proposals (
  id uuid not null,
  rail text not null,
  credit_key text not null,
  mode text not null,
  action text not null,
  -- Whose the wallet is to which it is attributed.
  merchant_id uuid,
  wallet_id uuid,
  -- As the provider confirmed it. Null: nobody confirmed anything.
  provider_transaction_id text,
  amount_minor bigint,
  -- SHA-256 in hex over the credit as it was: a proposal about one of which more became known is stale.
  facts_digest text not null,
  source text not null,
  note text not null,
  -- SHA-256 in hex over all that was proposed: what the second person confirms.
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint open_credit_proposals_pk primary key (id),
  constraint open_credit_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint open_credit_proposals_action check (action in ('ATTRIBUTE', 'RETURN', 'DISMISS')),
  constraint open_credit_proposals_wallet check (num_nonnulls(merchant_id, wallet_id) =
case action
    when
      'ATTRIBUTE' then 2
    else 0
end),
  constraint open_credit_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'WITHDRAWN',
      'STALE')),
  constraint open_credit_proposals_two_people check ((decided_by = proposed_by) = (status = 'WITHDRAWN'))
);
create unique index open_credit_proposals_one_open on open_credit_proposals (rail, credit_key) where status =
    'PENDING';
create index open_credit_proposals_of_credit on open_credit_proposals (rail, credit_key, id);

-- ==== 0026_payment-links ====

-- Who pays a merchant, as the merchant wrote it down. Two rows may have the same name or e-mail: only the id says who
-- is who.
create table customers (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  name text not null,
  email text not null,
  phone_number text,
  -- JSON text.
  metadata text,
  -- Taken by every change as a unique key, so that no change writes over another.
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint customers_pk primary key (merchant_id, mode, id),
  constraint customers_mode check (mode in ('SANDBOX', 'LIVE'))
);
create index customers_by_name on customers (merchant_id, mode, lower(name) text_pattern_ops);
create index customers_by_email on customers (merchant_id, mode, lower(email) text_pattern_ops);

-- A page under which whoever has its address opens a payment session. What it asks for never changes; it can be
-- switched off and on.
create table payment_links (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  -- The last part of its address. Whoever knows it can pay, and see nothing else.
  slug text not null,
  status text not null,
  -- Always null: whoever switches it off says no reason.
  reason text,
  title text not null,
  description text,
  -- Null: the payer names an amount from min_amount_minor to max_amount_minor.
  amount_minor bigint,
  min_amount_minor bigint,
  max_amount_minor bigint,
  currency text not null,
  amount_rule text not null,
  -- Separated by spaces, as of sessions.
  channels text not null,
  payer_name text not null,
  payer_email text not null,
  -- After so many paid sessions it opens no more. Null: any number.
  max_payments integer,
  wallet_id uuid not null,
  return_url text,
  -- JSON text, passed on to every session.
  metadata text,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payment_links_pk primary key (merchant_id, mode, id),
  constraint payment_links_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payment_links_status check (status in ('ACTIVE', 'INACTIVE')),
  constraint payment_links_slug check (slug ~ '^[0-9a-hjkmnp-tv-z]{16}$'),
  constraint payment_links_amount_rule check (amount_rule in ('EXACT', 'AT_LEAST', 'ANY')),
  constraint payment_links_amounts check (
case
    when amount_minor is null then min_amount_minor > 0 and
      max_amount_minor >= min_amount_minor
    else amount_minor > 0 and num_nonnulls(min_amount_minor,
      max_amount_minor) = 0
end),
  constraint payment_links_payer check ((payer_name in ('REQUIRED', 'OPTIONAL', 'NOT_ASKED')) and (payer_email in
      ('REQUIRED', 'OPTIONAL', 'NOT_ASKED'))),
  constraint payment_links_max_payments check (max_payments > 0)
);

-- Directory: the address of a payment link leads to the link, before any merchant is known.
create table payment_link_slugs (
  slug text not null,
  merchant_id uuid not null,
  mode text not null,
  link_id uuid not null,
  constraint payment_link_slugs_pk primary key (slug),
  constraint payment_link_slugs_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0030_provider-settlements ====

-- When a payment in is available, as dated rows: a merchant's own before those for all merchants, of these the one of
-- the channel before the one for all channels, and of several the one that began last. Without any: on confirmation.
create table availability_rules (
  id uuid not null,
  -- Null: all merchants.
  merchant_id uuid,
  mode text not null,
  availability text not null,
  effective_from timestamptz not null,
  -- Who decided it, and why.
  source text not null,
  created_at timestamptz not null,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  -- Payments of this channel alone, before the rule for all of the same merchant. Null: all. Part of the digest only
  -- where there is one.
  channel text,
  constraint availability_rules_pk primary key (id),
  constraint availability_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint availability_rules_availability check (availability in ('ON_CONFIRMATION', 'ON_SETTLEMENT')),
  constraint availability_rules_channel check (channel in ('BANK_TRANSFER', 'CARD', 'USSD'))
);

-- What a provider settled to the operator: one lump sum, and the file that says of which payments. It is the
-- operator's, across merchants.
create table provider_settlements (
  id uuid not null,
  rail text not null,
  mode text not null,
  -- The provider's own, of this settlement.
  reference text not null,
  -- What arrived, as the operator saw it at its bank or in its balance at the provider.
  lump_minor bigint not null,
  currency text not null,
  settled_on date not null,
  -- Payments that were confirmed before have to be in the file. Null: nothing is looked for.
  cut_off timestamptz,
  file_name text not null,
  -- SHA-256 of the file, hex: the same file is imported once, unless it was discarded.
  file_hash text not null,
  status text not null,
  -- Of the file; zero until it is read.
  line_count integer not null,
  imported_by text not null,
  created_at timestamptz not null,
  -- Who had it applied, or discarded it.
  decided_by text,
  decided_at timestamptz,
  -- Why it was applied although it does not add up, or why it was discarded.
  note text,
  updated_at timestamptz not null,
  -- A digest of what was imported, by which the proof finds an altered row.
  digest text not null,
  constraint provider_settlements_pk primary key (id),
  constraint provider_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint provider_settlements_status check (status in ('LOADING', 'MATCHING', 'READY', 'APPLYING', 'DONE',
      'DISCARDED')),
  constraint provider_settlements_currency check (currency = 'NGN')
);
create unique index provider_settlements_once on provider_settlements (rail, mode, file_hash) where status <>
    'DISCARDED';
create unique index provider_settlements_by_reference on provider_settlements (rail, mode, reference) where status
    <> 'DISCARDED';

-- A line of a provider's settlement of money in as it was read, what came of comparing it with our payments, and who
-- resolved it.
create table provider_settlement_lines (
  settlement_id uuid not null,
  id uuid not null,
  -- As in the file, the header being one. Null: the file has no such line, and should (MISSING_THERE).
  line_number integer,
  provider_transaction_id text,
  session_id text,
  reference text,
  gross_minor bigint,
  fee_minor bigint,
  net_minor bigint,
  currency text,
  -- SANDBOX or LIVE where the line says it itself.
  line_mode text,
  occurred_at timestamptz,
  -- Null: not compared yet.
  result text,
  detail text,
  -- The payment that it is about, and what our books said of it.
  merchant_id uuid,
  payment_id uuid,
  our_amount_minor bigint,
  -- What the provider said at the confirmation that it keeps. Null: it did not say.
  our_fee_minor bigint,
  resolved_how text,
  resolved_note text,
  resolved_by text,
  resolved_at timestamptz,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  -- What the line says that it takes from the settlement for. Null: it is about a payment, or was imported before
  -- deductions were posted.
  deduction text,
  subject_type text,
  -- The refund or dispute of ours that a deduction is of.
  subject_id uuid,
  -- The account of what the provider owes that the subject was taken from.
  receivable_id uuid,
  constraint provider_settlement_lines_pk primary key (settlement_id, id),
  constraint provider_settlement_lines_resolved check ((resolved_at is null) = (resolved_how is null)),
  constraint provider_settlement_lines_resolved_how check (resolved_how in ('ACCEPTED', 'FOUND_LATER')),
  constraint provider_settlement_lines_result check (result in ('MATCHED', 'FEE_DIFFERS', 'MISSING_HERE',
      'MISSING_THERE', 'AMOUNT_DIFFERS', 'NET_DIFFERS', 'CURRENCY_DIFFERS', 'MODE_DIFFERS', 'STATUS_DIFFERS',
      'ALREADY_SETTLED', 'DEDUCTION', 'DEDUCTION_MATCHED', 'DUPLICATE_LINE', 'UNREADABLE')),
  constraint provider_settlement_lines_deduction check (deduction in ('REFUND', 'DISPUTE', 'OTHER')),
  constraint provider_settlement_lines_subject check ((subject_type in ('REFUND', 'DISPUTE')) and
      (num_nonnulls(subject_type, subject_id, receivable_id) in (0, 3)))
);
create unique index provider_settlement_lines_by_number on provider_settlement_lines (settlement_id, line_number)
    where line_number is not null;
create index provider_settlement_lines_by_payment on provider_settlement_lines (settlement_id, payment_id) where
    payment_id is not null;
create index provider_settlement_lines_open on provider_settlement_lines (settlement_id) where (result not in
    ('MATCHED', 'FEE_DIFFERS')) and resolved_at is null;
create unique index provider_settlement_lines_missing_once on provider_settlement_lines (payment_id) where result =
    'MISSING_THERE' and resolved_at is null;
create index provider_settlement_lines_in_order on provider_settlement_lines (settlement_id, coalesce(line_number,
    2147483647), id);
create index provider_settlement_lines_by_subject on provider_settlement_lines (settlement_id, subject_id) where
    subject_id is not null;

-- Which payments in the provider has settled, each once for ever: the gross amount left the receivable, for the float
-- and, the provider's fee, for its cost.
create table collection_settlements (
  merchant_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  -- Under which the transfers of it are in the books.
  id uuid not null,
  settlement_id uuid not null,
  -- The line of the provider's settlement that says so.
  line_id uuid not null,
  gross_minor bigint not null,
  fee_minor bigint not null,
  settled_at timestamptz not null,
  constraint collection_settlements_pk primary key (merchant_id, mode, payment_id),
  constraint collection_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint collection_settlements_amounts check (gross_minor > 0 and fee_minor >= 0 and fee_minor <= gross_minor)
);

-- ==== 0033_file-mappings ====

-- What each column of a file of batches was, by its header: the fifty of a merchant that were used last.
create table file_mappings (
  merchant_id uuid not null,
  mode text not null,
  -- SHA-256 of the names of the columns in their order, in base64url.
  shape text not null,
  -- JSON: of each column its name, shortened, and the field that it was read as, or null.
  columns text not null,
  used_at timestamptz not null,
  constraint file_mappings_pk primary key (merchant_id, mode, shape),
  constraint file_mappings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint file_mappings_shape check (length(shape) = 43)
);

-- ==== 0034_batch-groups ====

-- What somebody did to all items of a batch that have one problem: in pieces of some hundred items, each a movement
-- with the next version of the batch, so that a worker goes on where another stopped.
create table batch_actions (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Code of the problem that the items have in common; with cause it is their group.
  code text,
  -- What the problem has in common beside its code, such as the text given for a bank.
  cause text,
  -- JSON: the fields that a CHANGE sets.
  change text,
  -- Items that were in the group when it began.
  items integer not null,
  done_items integer not null,
  -- Position of the last item that it was applied to.
  applied_to integer not null,
  -- The version of the batch as the action left it. It can be undone while that is the version.
  batch_version integer not null,
  -- The action that an UNDO undoes.
  undoes uuid,
  undone_at timestamptz,
  created_at timestamptz not null,
  done_at timestamptz,
  constraint batch_actions_pk primary key (merchant_id, mode, batch_id, id),
  constraint batch_actions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_actions_kind check (kind in ('ACCEPT', 'CHANGE', 'CHECK_AGAIN', 'LEAVE_OUT', 'UNDO')),
  constraint batch_actions_items check (done_items >= 0 and done_items <= items),
  constraint batch_actions_undoes check ((kind = 'UNDO') = (undoes is not null) and (kind = 'UNDO') = (code is
      null))
);

-- The items of a group action as they were before it, for undoing it.
create table batch_action_items (
  merchant_id uuid not null,
  mode text not null,
  action_id uuid not null,
  position integer not null,
  -- JSON: the row of batch_items.
  before text not null,
  constraint batch_action_items_pk primary key (merchant_id, mode, action_id, "position"),
  constraint batch_action_items_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0036_daily-totals ====

-- What the posted transfers of one wallet on one day in Lagos come to, in minor units. Derived from the transfers by a
-- worker, which may be behind: what follows through_sequence of a wallet's last day is added when it is read.
create table daily_totals (
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  day date not null,
  -- The last sequence of the account that is counted. The first is the one after that of the wallet's day before.
  through_sequence bigint not null,
  credits_minor bigint not null,
  debits_minor bigint not null,
  -- Part of the credits: from another wallet of the same merchant.
  own_credits_minor bigint not null,
  -- Part of the debits: to another wallet of the same merchant.
  own_debits_minor bigint not null,
  -- Part of the debits: fees, VAT and stamp duty.
  charges_minor bigint not null,
  -- Part of the credits: charges that came back with a payout.
  returned_charges_minor bigint not null,
  constraint daily_totals_pk primary key (merchant_id, mode, wallet_id, day),
  constraint daily_totals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint daily_totals_through check (through_sequence > 0),
  constraint daily_totals_credits check (own_credits_minor >= 0 and returned_charges_minor >= 0 and credits_minor >=
      (own_credits_minor + returned_charges_minor)),
  constraint daily_totals_debits check (own_debits_minor >= 0 and charges_minor >= 0 and debits_minor >=
      (own_debits_minor + charges_minor))
);

-- The sums of daily_totals over all wallets of a merchant in one mode, written with them.
create table merchant_daily_totals (
  merchant_id uuid not null,
  mode text not null,
  day date not null,
  credits_minor bigint not null,
  debits_minor bigint not null,
  own_credits_minor bigint not null,
  own_debits_minor bigint not null,
  charges_minor bigint not null,
  returned_charges_minor bigint not null,
  constraint merchant_daily_totals_pk primary key (merchant_id, mode, day),
  constraint merchant_daily_totals_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- Up to which event the books of a merchant and mode are added up. One worker at a time locks the row.
create table daily_total_cursors (
  merchant_id uuid not null,
  mode text not null,
  event_sequence bigint not null,
  -- As far as days of a wallet are added up, its statement has all its totals. Where not, the job adds them.
  has_statement_totals boolean not null default false,
  constraint daily_total_cursors_pk primary key (merchant_id, mode),
  constraint daily_total_cursors_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint daily_total_cursors_event_sequence check (event_sequence >= 0)
);

-- ==== 0037_search ====

-- What can be found by searching: the texts of one thing as they are compared, derived from its row by a worker, which
-- may be behind.
create table search_documents (
  merchant_id uuid not null,
  mode text not null,
  kind text not null,
  subject_id uuid not null,
  -- Counts on after some thousand documents of a kind: a search goes through the newest first and stops where it has
  -- enough.
  era integer not null,
  created_at timestamptz not null,
  amount_minor bigint,
  -- A line for each name and code, folded: small letters without accents and signs, a line end before and behind.
  text text not null,
  -- Hashes of what the lines consist of, each made with merchant, mode, kind and era, so that no list of the index is
  -- of two tenants.
  tokens integer[] not null,
  constraint search_documents_pk primary key (merchant_id, mode, kind, subject_id),
  constraint search_documents_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint search_documents_era check (era >= 0)
);
create index search_documents_by_token on search_documents using gin (tokens) with (gin_pending_list_limit='4096');

-- How many documents of a kind were ever made since the index was last filled: their order gives the era.
create table search_counts (
  merchant_id uuid not null,
  mode text not null,
  kind text not null,
  documents bigint not null,
  constraint search_counts_pk primary key (merchant_id, mode, kind),
  constraint search_counts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint search_counts_documents check (documents >= 0)
);

-- Up to which event what happened in the books of a merchant and mode can be found. One worker at a time locks the row.
create table search_cursors (
  merchant_id uuid not null,
  mode text not null,
  event_sequence bigint not null,
  -- The table that is read from the beginning, or CLEARING. Null: it is filled, and follows the events.
  filling text,
  -- The last row of that table that was read. Null: none.
  filled_to uuid,
  constraint search_cursors_pk primary key (merchant_id, mode),
  constraint search_cursors_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint search_cursors_event_sequence check (event_sequence >= 0)
);

-- ==== 0038_saved-views ====

-- Named filters and columns of a person's lists: thirty of each list at most. Those of somebody who has left are not
-- shown.
create table saved_views (
  merchant_id uuid not null,
  mode text not null,
  person_id uuid not null,
  id uuid not null,
  list text not null,
  -- From 1 to 30, and no two of a list have one: so there are no more.
  place integer not null,
  name text not null,
  -- The name in lower case: a person has each once in a list.
  name_key text not null,
  -- JSON: what the address of the list holds, field by field.
  filter text not null,
  -- JSON array: the columns in their order; empty for those that the list has by default.
  columns text not null,
  -- Everybody of the merchant sees it; only its person changes it.
  is_shared boolean not null,
  -- When it was made the one that the list opens with; the latest of a list counts. Null: it is not.
  default_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint saved_views_pk primary key (merchant_id, mode, person_id, id),
  constraint saved_views_name_unique unique (merchant_id, mode, person_id, list, name_key),
  constraint saved_views_place_unique unique (merchant_id, mode, person_id, list, place),
  constraint saved_views_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint saved_views_list check (list in ('TRANSACTIONS', 'PAYOUTS', 'PAYMENTS_IN')),
  constraint saved_views_place check (place >= 1 and place <= 30),
  constraint saved_views_name check (length(name) >= 1 and length(name) <= 60),
  constraint saved_views_size check (length(filter) <= 8000 and length(columns) <= 2000)
);
create index saved_views_shared on saved_views (merchant_id, mode, list) where is_shared;

-- ==== 0039_receipt-links ====

-- An address under which whoever has it sees the receipt of one payout, until it expires or is revoked.
create table receipt_links (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  transaction_id uuid not null,
  -- SHA-256, base64url, of the 256 random bits in the address. They are kept nowhere.
  token_hash text not null,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by_name text,
  constraint receipt_links_pk primary key (merchant_id, mode, id),
  constraint receipt_links_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint receipt_links_expires check (expires_at > created_at),
  constraint receipt_links_revoked check (num_nonnulls(revoked_at, revoked_by_name) in (0, 2))
);
create index receipt_links_of_transaction on receipt_links (merchant_id, mode, transaction_id, id);

-- Directory: the address of a shared receipt leads to its link, before any merchant is known. A link that is revoked
-- has none.
create table receipt_link_tokens (
  token_hash text not null,
  merchant_id uuid not null,
  mode text not null,
  link_id uuid not null,
  constraint receipt_link_tokens_pk primary key (token_hash),
  constraint receipt_link_tokens_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0040_operators-desk ====

-- Up to which event a reader behind the books has come, for each merchant and mode. One worker at a time locks the row.
create table event_cursors (
  merchant_id uuid not null,
  mode text not null,
  reader text not null,
  event_sequence bigint not null,
  constraint event_cursors_pk primary key (merchant_id, mode, reader),
  constraint event_cursors_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint event_cursors_event_sequence check (event_sequence >= 0)
);

-- Directory: what an operator knows of a payout leads to it, across merchants. Derived from the payouts by a worker,
-- which may be seconds behind; nothing about money is decided by it.
create table payout_directory (
  merchant_id uuid not null,
  payout_id uuid not null,
  mode text not null,
  status text not null,
  amount_minor bigint not null,
  rail text not null,
  account_number text not null,
  session_id text,
  constraint payout_directory_pk primary key (merchant_id, payout_id),
  constraint payout_directory_mode check (mode in ('SANDBOX', 'LIVE'))
);
create index payout_directory_newest on payout_directory (payout_id) where payout_id >
    '00000000-0000-0000-0000-000000000000';
create index payout_directory_by_account on payout_directory (account_number, payout_id);
create index payout_directory_by_session on payout_directory (session_id, payout_id) where session_id is not null;
create index payout_directory_by_status on payout_directory (status, payout_id) where status <> 'SUCCESS';

-- How many payouts each rail ended on one day in Lagos, what they come to in minor units, and how long they took.
-- Derived from the events of payouts by a worker, each event once.
create table rail_daily_totals (
  day date not null,
  mode text not null,
  rail text not null,
  outcome text not null,
  -- From the first send to the end: eight steps for every doubling of the milliseconds. -1: of a return.
  duration_step integer not null,
  payouts bigint not null,
  amount_minor bigint not null,
  constraint rail_daily_totals_pk primary key (day, mode, rail, outcome, duration_step),
  constraint rail_daily_totals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint rail_daily_totals_outcome check (outcome in ('SUCCESS', 'FAILED', 'REVERSED')),
  constraint rail_daily_totals_sums check (payouts > 0 and amount_minor > 0)
);

-- ==== 0041_desk-records ====

-- Who of the operator's staff may read a merchant's pages, or could, in one mode and for a limited time. It opens
-- nothing without the session that it was opened in.
create table support_views (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  -- The session of the operator's staff that it belongs to. It ends with it.
  session_id uuid not null,
  person_id uuid not null,
  person_name text not null,
  -- As the merchant reads it.
  reason text not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  -- When somebody ended it, or opened another in its place. Null: it runs out.
  ended_at timestamptz,
  constraint support_views_pk primary key (merchant_id, id),
  constraint support_views_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint support_views_period check (expires_at > opened_at)
);

-- ==== 0042_announcements ====

-- What the operator's staff write to merchants, in plain text. Shown from starts_at until ends_at once it is published
-- and until somebody ends it.
create table announcements (
  id uuid not null,
  title text not null,
  body text not null,
  severity text not null,
  -- False: only to the merchants in announcement_merchants.
  for_all boolean not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Grows with every change of a published announcement: whoever dismissed it before sees it again.
  revision integer not null,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text not null,
  updated_at timestamptz not null,
  published_by text,
  published_at timestamptz,
  ended_by text,
  ended_at timestamptz,
  -- Whether the people of its merchants get it by e-mail too, once each.
  by_mail boolean not null default false,
  -- Up to which person mails are in the outbox: they are written in the order of the people's ids, a few at a time.
  mailed_up_to uuid,
  -- How many people a mail was written to.
  mailed_people integer not null default 0,
  -- When the last of them was written.
  mailed_at timestamptz,
  constraint announcements_pk primary key (id),
  constraint announcements_severity check (severity in ('INFO', 'WARNING', 'CRITICAL')),
  constraint announcements_period check (ends_at > starts_at),
  constraint announcements_revision check (revision >= 1),
  constraint announcements_published check ((published_by is null) = (published_at is null)),
  constraint announcements_ended check ((ended_by is null) = (ended_at is null)),
  constraint announcements_mailed_people check (mailed_people >= 0)
);
create index announcements_open on announcements (ends_at) where ended_at is null;

-- To which merchants an announcement goes that is not for all.
create table announcement_merchants (
  merchant_id uuid not null,
  announcement_id uuid not null,
  constraint announcement_merchants_pk primary key (merchant_id, announcement_id),
  constraint announcement_merchants_merchant foreign key (merchant_id) references merchants(id)
);

-- Which announcement a person of a merchant dismissed, at which revision of it.
create table announcement_dismissals (
  merchant_id uuid not null,
  person_id uuid not null,
  announcement_id uuid not null,
  revision integer not null,
  dismissed_at timestamptz not null,
  constraint announcement_dismissals_pk primary key (merchant_id, person_id, announcement_id)
);

-- ==== 0043_request-bodies ====

-- Whether bodies of API requests are kept, and for how many days. Without a row: in the sandbox, and never in live
-- mode.
create table request_log_settings (
  merchant_id uuid not null,
  mode text not null,
  keeps_bodies boolean not null,
  keep_days integer not null,
  updated_at timestamptz not null,
  constraint request_log_settings_pk primary key (merchant_id, mode),
  constraint request_log_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint request_log_settings_keep_days check (keep_days >= 1 and keep_days <= 7)
);

-- The bodies of requests of request_log, by the same id: what a schema says is secret or personal, and what no schema
-- knows, is left out before anything is written.
create table request_log_bodies (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  -- CUT: the beginning alone. SIZE: it could not be read, or was too large, and only its size is known. NONE: there was
  -- none.
  request_kept text not null,
  request_body text,
  request_bytes integer not null,
  answer_kept text not null,
  answer_body text,
  answer_bytes integer not null,
  constraint request_log_bodies_pk primary key (merchant_id, mode, id),
  constraint request_log_bodies_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint request_log_bodies_request_kept check (request_kept in ('FULL', 'CUT', 'SIZE', 'NONE')),
  constraint request_log_bodies_answer_kept check (answer_kept in ('FULL', 'CUT', 'SIZE', 'NONE')),
  constraint request_log_bodies_request_text check ((request_body is null) = (request_kept in ('SIZE', 'NONE'))),
  constraint request_log_bodies_answer_text check ((answer_body is null) = (answer_kept in ('SIZE', 'NONE')))
);

-- How many requests of request_log came in each hour, and lately in each five minutes, by operation, answer and how
-- long it took, so that rates of a week are added up from few rows.
create table request_log_counts (
  merchant_id uuid not null,
  mode text not null,
  minutes integer not null,
  slot timestamptz not null,
  method text not null,
  route text not null,
  status integer not null,
  -- Empty where the answer had none.
  code text not null,
  -- The step of the scale that the duration was within, in milliseconds.
  within_ms integer not null,
  requests integer not null,
  constraint request_log_counts_pk primary key (merchant_id, mode, minutes, slot, method, route, status, code,
      within_ms),
  constraint request_log_counts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint request_log_counts_minutes check (minutes in (5, 60)),
  constraint request_log_counts_requests check (requests > 0)
);

-- ==== 0050_refunds ====

-- What goes back of a payment in to its payer. PROVIDER: the provider that has the payment sends it, and it is held
-- until the provider says what became of it. PAYOUT: an ordinary payout with the purpose REFUND, whose outcome is the
-- refund's. The row is the queue: whoever finds it due takes its next step.
create table refunds (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  -- That it leaves: by a payout, the main wallet.
  wallet_id uuid not null,
  way text not null,
  -- Who decided: the merchant for this one, or the rule for late payments or for what was paid too much.
  cause text not null,
  amount_minor bigint not null,
  currency text not null,
  -- The merchant's words; providers are sent them too.
  note text,
  client_reference text,
  status text not null,
  reason text,
  -- The provider account that has the payment.
  rail text not null,
  -- What that account owes, which a refund by the provider lowers.
  receivable_id uuid not null,
  hold_id uuid,
  payout_id uuid,
  provider_refund_id text,
  -- With the two columns below: the payer's account, where the provider asked for it or a payout goes there.
  bank_code text,
  account_number text,
  account_name text,
  -- The day in Lagos against whose limit it was counted; null for a payout, which is counted itself.
  counted_on date,
  allow_duplicate boolean not null,
  scenario text,
  approval_id uuid,
  rules_version integer,
  next_step text not null,
  due_at timestamptz,
  lease_id uuid,
  attempts integer not null,
  first_sent_at timestamptz,
  -- The latest moment at which the provider may have been asked to send it.
  sent_at timestamptz,
  operator_reason text,
  -- Since when people have to look into it.
  operator_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint refunds_pk primary key (merchant_id, mode, id),
  constraint refunds_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refunds_way check (way in ('PROVIDER', 'PAYOUT')),
  constraint refunds_cause check (cause in ('MERCHANT', 'LATE', 'EXCESS')),
  constraint refunds_amount check (amount_minor > 0),
  constraint refunds_status check (status in ('PENDING_APPROVAL', 'QUEUED', 'PROCESSING', 'NEEDS_DETAILS',
      'SUCCESS', 'FAILED', 'CANCELLED')),
  constraint refunds_next_step check (next_step in ('SEND', 'QUERY', 'DETAILS', 'FOLLOW', 'CHECK')),
  constraint refunds_held check ((way = 'PROVIDER') = (hold_id is not null) and (way = 'PAYOUT') = (payout_id is not
      null)),
  constraint refunds_account check (num_nulls(bank_code, account_number, account_name) in (0, 3)),
  constraint refunds_operator check ((operator_reason is null) = (operator_since is null)),
  constraint refunds_scenario_sandbox_only check (scenario is null or mode = 'SANDBOX')
);
create index refunds_due on refunds (merchant_id, mode, due_at) where due_at is not null;
create index refunds_of_payment on refunds (merchant_id, mode, payment_id, id);
create index refunds_of_payout on refunds (merchant_id, mode, payout_id) where payout_id is not null;
create index refunds_to_look_into on refunds (merchant_id, mode, status, updated_at) where status in
    ('NEEDS_DETAILS', 'FAILED');
create index refunds_before_operator on refunds (merchant_id, mode, operator_since) where operator_reason is not
    null;
create unique index refunds_by_rule on refunds (merchant_id, mode, payment_id) where cause <> 'MERCHANT';
create index refunds_due_at on refunds (due_at) where due_at > '-infinity';

-- Evidence: each call to a provider about a refund with what it answered, and what two of the operator's people
-- decided.
create table refund_attempts (
  merchant_id uuid not null,
  mode text not null,
  refund_id uuid not null,
  -- Sorts by time.
  id uuid not null,
  rail text not null,
  kind text not null,
  started_at timestamptz not null,
  -- Null: there is no answer, because the call is under way or its worker died.
  ended_at timestamptz,
  outcome text,
  code text,
  reason text,
  message text,
  provider_refund_id text,
  -- JSON text: what the provider reported of the refund (amount, currency, transaction). Null: it reported nothing.
  reported text,
  -- A digest of the row, by which the proof finds altered evidence.
  digest text not null,
  constraint refund_attempts_pk primary key (merchant_id, mode, refund_id, id),
  constraint refund_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refund_attempts_kind check (kind in ('SEND', 'QUERY', 'DETAILS', 'CHECK', 'OPERATOR')),
  constraint refund_attempts_outcome check (outcome in ('succeeded', 'failed', 'needs_details', 'pending',
      'not_found', 'unknown')),
  constraint refund_attempts_ended check ((ended_at is null) = (outcome is null))
);

-- Directory: what a provider's webhook about a refund may name leads to our refunds: our reference, its own id of the
-- refund, and its id and reference of the payment. It only makes us ask the provider.
create table refund_keys (
  rail text not null,
  key text not null,
  merchant_id uuid not null,
  mode text not null,
  refund_id uuid not null,
  constraint refund_keys_pk primary key (rail, key, merchant_id, mode, refund_id),
  constraint refund_keys_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- The sandbox bank's own book of refunds, apart from ours, so that the two can be compared.
create table sandbox_refunds (
  merchant_id uuid not null,
  mode text not null,
  reference text not null,
  credit_id text not null,
  amount_minor bigint not null,
  currency text not null,
  scenario text not null,
  -- The payer's account, once it was given.
  account_number text,
  -- When it came into the bank's book; null where the first request was lost on its way.
  received_at timestamptz,
  first_asked_at timestamptz not null,
  queries integer not null,
  constraint sandbox_refunds_pk primary key (merchant_id, mode, reference),
  constraint sandbox_refunds_mode check (mode = 'SANDBOX'),
  constraint sandbox_refunds_amount check (amount_minor > 0)
);
create index sandbox_refunds_of_credit on sandbox_refunds (merchant_id, mode, credit_id);

-- ==== 0052_refund-outcomes ====

-- What one of the operator's people says became of a refund, for another to confirm. Every one is kept.
create table refund_outcome_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  refund_id uuid not null,
  outcome text not null,
  source text not null,
  note text not null,
  -- A digest of what was known of the refund: a proposal that more became known after is void.
  facts_digest text not null,
  -- SHA-256 in hex over what is proposed: the second person confirms this.
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint refund_outcome_proposals_pk primary key (merchant_id, mode, id),
  constraint refund_outcome_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refund_outcome_proposals_outcome check (outcome in ('SUCCEEDED', 'FAILED')),
  constraint refund_outcome_proposals_source check (source in ('BANK_LETTER', 'RAIL_DASHBOARD', 'SETTLEMENT_FILE',
      'RAIL_SUPPORT', 'OTHER')),
  constraint refund_outcome_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'STALE')),
  constraint refund_outcome_proposals_two_people check (decided_by <> proposed_by or status = 'REJECTED')
);
create unique index refund_outcome_proposals_one_open on refund_outcome_proposals (merchant_id, mode, refund_id)
    where status = 'PENDING';
create index refund_outcome_proposals_of_refund on refund_outcome_proposals (merchant_id, mode, refund_id, id);

-- ==== 0053_disputes ====

-- Directory: a dispute at a provider is one dispute of one payment, for ever. WAITING: the provider has not confirmed
-- it yet. NO_PAYMENT: confirmed, of a payment that we do not have. CONTRADICTED: people have to look. NOTED: it leads
-- to a dispute, written before that is. DISMISSED: a person of the operator looked into it.
create table dispute_directory (
  rail text not null,
  provider_dispute_id text not null,
  mode text not null,
  status text not null,
  reason text,
  source text not null,
  -- JSON text: the dispute as the provider confirmed it last. Null: it did not.
  reported text,
  merchant_id uuid,
  payment_id uuid,
  dispute_id uuid,
  attempts integer not null,
  -- When the provider is asked again; null: nothing is to be asked.
  due_at timestamptz,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  decided_by uuid,
  note text,
  constraint dispute_directory_pk primary key (rail, provider_dispute_id),
  constraint dispute_directory_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_directory_status check (status in ('WAITING', 'NO_PAYMENT', 'CONTRADICTED', 'NOTED',
      'DISMISSED')),
  constraint dispute_directory_noted check ((status = 'NOTED') = (num_nonnulls(merchant_id, payment_id, dispute_id)
      = 3)),
  constraint dispute_directory_dismissed check ((status = 'DISMISSED') = (num_nonnulls(decided_by, note) = 2))
);
create index dispute_directory_due on dispute_directory (mode, due_at) where due_at is not null;
create index dispute_directory_to_decide on dispute_directory (first_seen_at) where status in ('NO_PAYMENT',
    'CONTRADICTED');

-- How far each provider's list of disputes was read. One process reads it at a time.
create table dispute_polls (
  rail text not null,
  mode text not null,
  polled_to timestamptz not null,
  leased_until timestamptz,
  constraint dispute_polls_pk primary key (rail),
  constraint dispute_polls_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- A payer's bank wants a payment back. OPEN: the merchant may answer until due_at. EVIDENCE_SENT: the provider has the
-- merchant's evidence. WON: nothing is taken. LOST: it is, by the bank's decision or by silence. ACCEPTED: by the
-- merchant's own answer.
create table disputes (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  rail text not null,
  provider_dispute_id text not null,
  source text not null,
  status text not null,
  reason text,
  -- Why somebody of the operator has to look at it; null: nobody has to.
  operator_reason text,
  category text not null,
  message text,
  -- As the provider says.
  amount_minor bigint not null,
  -- What of that may be taken: never more than of the payment is neither refunded nor taken already.
  disputed_minor bigint not null,
  -- What of that is held in the wallet, or was until it ended.
  held_minor bigint not null,
  -- What was taken from the wallet when it ended.
  taken_minor bigint not null,
  -- What the wallet did not have then: the merchant owes it.
  loss_minor bigint not null,
  -- What of that later money has paid.
  repaid_minor bigint not null,
  currency text not null,
  -- The wallet that has the payment; null while it is in none.
  wallet_id uuid,
  receivable_id uuid not null,
  -- The pending transfer.
  hold_id uuid,
  answer text,
  answer_status text,
  -- Why the provider did not take the answer.
  answer_reason text,
  -- One more with every change that is reported.
  version integer not null,
  due_at timestamptz,
  -- When the provider is asked what became of it, or once it has ended, whether it still says so; null: not again.
  check_at timestamptz,
  -- When people are reminded that a third of the time is left; null once they were.
  remind_at timestamptz,
  checks integer not null,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  -- What was found out where the provider contradicted the end; it stays where the provider says that end once more.
  looked_note text,
  -- Who of the operator noted it.
  looked_by uuid,
  looked_at timestamptz,
  constraint disputes_pk primary key (merchant_id, mode, id),
  constraint disputes_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint disputes_status check (status in ('OPEN', 'EVIDENCE_SENT', 'WON', 'LOST', 'ACCEPTED')),
  constraint disputes_source check (source in ('PROVIDER', 'OPERATOR')),
  constraint disputes_category check (category in ('CHARGEBACK', 'FRAUD', 'GENERAL')),
  constraint disputes_amounts check (amount_minor > 0 and disputed_minor >= 0 and disputed_minor <= amount_minor and
      held_minor >= 0 and held_minor <= disputed_minor and taken_minor >= 0 and loss_minor >= 0 and ((taken_minor +
      loss_minor) = 0 or (taken_minor + loss_minor) = disputed_minor) and repaid_minor >= 0 and repaid_minor <=
      loss_minor),
  constraint disputes_hold check ((hold_id is null) = (held_minor = 0) and (hold_id is null or wallet_id is not
      null)),
  constraint disputes_ended check ((ended_at is null) = (status in ('OPEN', 'EVIDENCE_SENT'))),
  constraint disputes_taken check ((status in ('LOST', 'ACCEPTED')) or (taken_minor + loss_minor) = 0),
  constraint disputes_answer check ((answer is null) = (answer_status is null) and (answer in ('ACCEPT', 'CONTEST'))
      and (answer_status in ('QUEUED', 'SENT', 'REFUSED'))),
  constraint disputes_looked check ((num_nonnulls(looked_note, looked_by, looked_at) in (0, 3)) and (looked_at is
      null or ended_at is not null))
);
create index disputes_of_payment on disputes (merchant_id, mode, payment_id, id);
create index disputes_running on disputes (merchant_id, mode, due_at, id) where ended_at is null;
create index disputes_owed on disputes (merchant_id, mode, id) where repaid_minor < loss_minor;
create index disputes_for_operator on disputes (merchant_id, mode, id) where operator_reason is not null;
create index disputes_ended_asked on disputes (merchant_id, mode, check_at, id) where ended_at is not null and
    check_at is not null;

-- What a provider answered to our own question about a dispute, or what two people of the operator know of it, each
-- time that it changed something.
create table dispute_evidence (
  merchant_id uuid not null,
  mode text not null,
  dispute_id uuid not null,
  id uuid not null,
  source text not null,
  state text not null,
  code text,
  reported text not null,
  received_at timestamptz not null,
  digest text not null,
  constraint dispute_evidence_pk primary key (merchant_id, mode, dispute_id, id),
  constraint dispute_evidence_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_evidence_source check (source in ('WEBHOOK', 'POLL', 'CHECK', 'OPERATOR'))
);

-- What a merchant says to a dispute: that it accepts it, or why not. QUEUED: a worker sends it. SENT: the provider has
-- it. REFUSED: the provider did not take it, or the dispute ended first; another may be made while it is open.
create table dispute_answers (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  dispute_id uuid not null,
  action text not null,
  -- JSON text: the words of the evidence.
  content text not null,
  -- How many files belong to it.
  files integer not null,
  status text not null,
  reason text,
  made_by text not null,
  made_at timestamptz not null,
  attempts integer not null,
  due_at timestamptz,
  ended_at timestamptz,
  digest text not null,
  constraint dispute_answers_pk primary key (merchant_id, mode, id),
  constraint dispute_answers_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_answers_action check (action in ('ACCEPT', 'CONTEST')),
  constraint dispute_answers_status check (status in ('QUEUED', 'SENT', 'REFUSED')),
  constraint dispute_answers_due check ((due_at is not null) = (status = 'QUEUED') and (ended_at is null) = (status
      = 'QUEUED'))
);
create index dispute_answers_of_dispute on dispute_answers (merchant_id, mode, dispute_id, id);
create index dispute_answers_due on dispute_answers (merchant_id, mode, due_at) where due_at is not null;

-- The files of a merchant's evidence, sealed. They are written before their answer: one whose answer was refused is
-- nobody's.
create table dispute_files (
  merchant_id uuid not null,
  mode text not null,
  answer_id uuid not null,
  id uuid not null,
  place integer not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  content_hash text not null,
  content_sealed bytea not null,
  uploaded_at timestamptz not null,
  constraint dispute_files_pk primary key (merchant_id, mode, answer_id, id),
  constraint dispute_files_once unique (merchant_id, mode, answer_id, place),
  constraint dispute_files_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- What later money paid of what a merchant owes after a dispute. The id is that of its transaction.
create table dispute_repayments (
  merchant_id uuid not null,
  mode text not null,
  dispute_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  amount_minor bigint not null,
  created_at timestamptz not null,
  constraint dispute_repayments_pk primary key (merchant_id, mode, dispute_id, id),
  constraint dispute_repayments_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_repayments_amount check (amount_minor > 0)
);

-- The simulated bank's own book of disputes.
create table sandbox_disputes (
  merchant_id uuid not null,
  mode text not null,
  id text not null,
  credit_id text not null,
  amount_minor bigint not null,
  category text not null,
  message text,
  scenario text not null,
  opened_at timestamptz not null,
  due_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  files integer not null,
  next_webhook_at timestamptz,
  constraint sandbox_disputes_pk primary key (merchant_id, mode, id),
  constraint sandbox_disputes_mode check (mode = 'SANDBOX'),
  constraint sandbox_disputes_answer check ((answer in ('ACCEPT', 'CONTEST')) and (answer is null) = (answered_at is
      null))
);
create index sandbox_disputes_by_time on sandbox_disputes (opened_at, id);
create index sandbox_disputes_webhooks on sandbox_disputes (merchant_id, mode, next_webhook_at) where
    next_webhook_at is not null;

-- ==== 0056_merchant-settlements ====

-- The operator's terms of settlements to merchants' banks, as dated rows: a merchant's own before the one for all
-- merchants, and of several the one that began last.
create table merchant_settlement_rules (
  id uuid not null,
  -- Null: all merchants.
  merchant_id uuid,
  mode text not null,
  -- False: nothing is settled, whatever the merchant has set.
  is_enabled boolean not null,
  minimum_minor bigint not null,
  -- Payments in of so long go together where each is settled at once.
  window_seconds integer not null,
  -- So long after another settlement account was accepted nothing is settled to it.
  cooling_off_seconds integer not null,
  effective_from timestamptz not null,
  -- Who decided it, and why.
  source text not null,
  created_at timestamptz not null,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  constraint merchant_settlement_rules_pk primary key (id),
  constraint merchant_settlement_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlement_rules_minimum check (minimum_minor > 0),
  constraint merchant_settlement_rules_seconds check (window_seconds >= 60 and window_seconds <= 86400 and
      cooling_off_seconds >= 0 and cooling_off_seconds <= 2592000)
);

-- What a merchant wants of its settlements, each version as it was made; the last one counts.
create table merchant_settlement_settings (
  merchant_id uuid not null,
  mode text not null,
  version integer not null,
  id uuid not null,
  schedule text not null,
  minimum_minor bigint not null,
  -- So much stays in the wallet.
  keep_minor bigint not null,
  -- Of working days, Africa/Lagos.
  time_of_day text not null,
  changed_by text not null,
  changed_at timestamptz not null,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  constraint merchant_settlement_settings_pk primary key (merchant_id, mode, version),
  constraint merchant_settlement_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlement_settings_schedule check (schedule in ('OFF', 'DAILY', 'INSTANT')),
  constraint merchant_settlement_settings_amounts check (minimum_minor >= 0 and keep_minor >= 0),
  constraint merchant_settlement_settings_time check (time_of_day ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);

-- When a merchant's next settlement is due. This row is the queue; while a worker has it, due_at is the end of its
-- lease.
create table merchant_settlement_schedules (
  merchant_id uuid not null,
  mode text not null,
  -- Null: nothing is settled by itself.
  due_at timestamptz,
  -- What was booked before is settled then. Null: what is there at that moment.
  cut_off timestamptz,
  -- The working day on which it is due.
  business_day date,
  -- By how much the time of a sandbox was moved forward.
  ahead_seconds bigint not null,
  -- The first settlement begins behind this entry of the wallet: what is older is not settled.
  first_sequence bigint not null,
  first_balance_minor bigint not null,
  paused_reason text,
  paused_since timestamptz,
  -- Why the last turn made no settlement.
  result text,
  updated_at timestamptz not null,
  constraint merchant_settlement_schedules_pk primary key (merchant_id, mode),
  constraint merchant_settlement_schedules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlement_schedules_paused check ((paused_reason is null) = (paused_since is null)),
  constraint merchant_settlement_schedules_live_time check (mode = 'SANDBOX' or ahead_seconds = 0)
);
create index merchant_settlement_schedules_due on merchant_settlement_schedules (merchant_id, mode, due_at) where
    due_at is not null;
create index merchant_settlement_schedules_due_at on merchant_settlement_schedules (mode, due_at) where due_at >
    '-infinity';

-- What a merchant's main wallet collected in a range of its entries, and the payout that takes it to the merchant's
-- bank. Ranges follow each other, so each payment is in one settlement.
create table merchant_settlements (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  -- Of this merchant and mode, from 1, without a gap.
  number integer not null,
  trigger text not null,
  status text not null,
  reason text,
  wallet_id uuid not null,
  business_day date not null,
  cut_off timestamptz not null,
  -- The entries of the wallet behind this one, up to upto_sequence.
  after_sequence bigint not null,
  upto_sequence bigint not null,
  -- What was booked in the wallet before the range, and after it.
  opening_minor bigint not null,
  closing_minor bigint not null,
  -- JSON text: entries and sum of each kind of line, kobo.
  sums text not null,
  -- What of the range was collected: payments less what they cost, went back or was kept.
  net_minor bigint not null,
  -- What the settlement before left to this one.
  carried_in_minor bigint not null,
  -- What its payout takes to the bank, without charges.
  amount_minor bigint not null,
  carried_out_minor bigint not null,
  bank_code text not null,
  bank_name text not null,
  account_number text not null,
  account_name text not null,
  -- The latest one: after a failed one there may be another.
  payout_id uuid not null,
  attempts integer not null,
  made_by text not null,
  -- When a worker looks at it: its payout ended, or it is tried again. Null: nobody has to.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint merchant_settlements_pk primary key (merchant_id, mode, id),
  constraint merchant_settlements_once unique (merchant_id, mode, number),
  constraint merchant_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint merchant_settlements_trigger check (trigger in ('DAILY', 'INSTANT', 'BY_HAND')),
  constraint merchant_settlements_status check (status in ('PROCESSING', 'PAID', 'FAILED')),
  constraint merchant_settlements_range check (after_sequence <= upto_sequence),
  constraint merchant_settlements_amounts check (amount_minor > 0 and carried_out_minor >= 0 and carried_in_minor >=
      0 and (amount_minor + carried_out_minor) <= (carried_in_minor + net_minor))
);
create index merchant_settlements_by_payout on merchant_settlements (merchant_id, mode, payout_id);
create index merchant_settlements_due on merchant_settlements (merchant_id, mode, due_at) where due_at is not null;
create index merchant_settlements_by_wallet on merchant_settlements (merchant_id, mode, wallet_id, number);

-- Every payout of a settlement: one, and another only after the one before it has failed or come back.
create table merchant_settlement_payouts (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  settlement_id uuid not null,
  attempt integer not null,
  created_at timestamptz not null,
  constraint merchant_settlement_payouts_pk primary key (merchant_id, mode, payout_id),
  constraint merchant_settlement_payouts_once unique (merchant_id, mode, settlement_id, attempt),
  constraint merchant_settlement_payouts_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0057_bank-holidays ====

-- Days on which banks in Nigeria are closed; weekends are not listed. Settlements to merchants' banks are made on the
-- other days.
create table bank_holidays (
  id uuid not null,
  day date not null,
  name text not null,
  -- EXPECTED: a day by the moon, to be confirmed or moved when the Federal Government declares it. It counts until
  -- then.
  certainty text not null,
  source text not null,
  set_by text not null,
  set_at timestamptz not null,
  removed_by text,
  -- It counts no more: what was wrong stays on record.
  removed_at timestamptz,
  constraint bank_holidays_pk primary key (id),
  constraint bank_holidays_certainty check (certainty in ('CERTAIN', 'EXPECTED')),
  constraint bank_holidays_removed check ((removed_by is null) = (removed_at is null))
);
create unique index bank_holidays_once on bank_holidays (day) where removed_at is null;

-- ==== 0060_reserves ====

-- How much of a payment in is kept in reserve, and for how many days, as dated rows: a merchant's own before those for
-- all merchants, of these the one of the channel before the one for all channels, and of several the one that began
-- last. Without any, and by a rule of 0: nothing.
create table reserve_rules (
  id uuid not null,
  -- Null: all merchants.
  merchant_id uuid,
  mode text not null,
  -- Null: however it was paid.
  channel text,
  -- Hundredths of a percent of the payment, before fee and VAT; a fraction of a kobo is not kept.
  rate_basis_points integer not null,
  -- It is released when the day in Lagos begins that is so many days after the credit.
  days integer not null,
  effective_from timestamptz not null,
  -- Who decided it, and why.
  source text not null,
  created_at timestamptz not null,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  constraint reserve_rules_pk primary key (id),
  constraint reserve_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint reserve_rules_channel check (channel in ('BANK_TRANSFER', 'CARD', 'USSD')),
  constraint reserve_rules_rate check (rate_basis_points >= 0 and rate_basis_points <= 10000),
  constraint reserve_rules_days check (days >= 1 and days <= 730)
);

-- What was kept of one payment in: moved from the wallet to the merchant's reserve with the credit, and back on its
-- day, once.
create table reserves (
  merchant_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  -- The wallet that it came from, and goes back to.
  wallet_id uuid not null,
  rule_id uuid not null,
  amount_minor bigint not null,
  kept_at timestamptz not null,
  -- The day in Lagos on which it is released.
  release_on date not null,
  -- When a worker releases it: the beginning of that day; the sandbox's clock makes it sooner. Null: it is released.
  due_at timestamptz,
  released_at timestamptz,
  -- The transaction that released it, of all that one wallet had back with it.
  release_id uuid,
  constraint reserves_pk primary key (merchant_id, mode, payment_id),
  constraint reserves_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint reserves_amount check (amount_minor > 0),
  constraint reserves_released check ((due_at is null) = (released_at is not null) and (num_nonnulls(released_at,
      release_id) in (0, 2)))
);
create index reserves_due on reserves (merchant_id, mode, due_at) where due_at is not null;
create index reserves_kept on reserves (merchant_id, mode, release_on, wallet_id, amount_minor) where released_at is
    null;
create index reserves_due_at on reserves (due_at) where due_at > '-infinity';

-- ==== 0062_deductions ====

-- Which refunds and disputes the provider took from a settlement, each once for ever: the amount left the float, and
-- what the provider owes is that much more again.
create table deduction_settlements (
  merchant_id uuid not null,
  mode text not null,
  subject_type text not null,
  subject_id uuid not null,
  -- Under which the transfers of it are in the books.
  id uuid not null,
  settlement_id uuid not null,
  -- The line of the provider's settlement that says so.
  line_id uuid not null,
  receivable_id uuid not null,
  amount_minor bigint not null,
  -- What the provider took on top of the amount, which is its cost.
  fee_minor bigint not null,
  settled_at timestamptz not null,
  constraint deduction_settlements_pk primary key (merchant_id, mode, subject_type, subject_id),
  constraint deduction_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint deduction_settlements_subject check (subject_type in ('REFUND', 'DISPUTE')),
  constraint deduction_settlements_amounts check (amount_minor > 0 and fee_minor >= 0)
);

-- ==== 0063_fetched-settlements ====

-- Up to when a provider's list of settlements was read whole. Each window begins days before the last one ended.
create table provider_settlement_polls (
  rail text not null,
  mode text not null,
  polled_to timestamptz not null,
  leased_until timestamptz,
  last_poll_at timestamptz,
  constraint provider_settlement_polls_pk primary key (rail),
  constraint provider_settlement_polls_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- A settlement that a provider listed, or reported by webhook, once for ever. WAITING: its lines are read when due.
-- RECORDED: as a settlement of ours. KNOWN: somebody had imported it before.
create table provider_settlement_fetches (
  rail text not null,
  reference text not null,
  mode text not null,
  source text not null,
  -- What the provider says that it pays out.
  lump_minor bigint not null,
  currency text not null,
  settled_on date not null,
  status text not null,
  attempts integer not null,
  due_at timestamptz,
  -- Why the last attempt to read it failed.
  reason text,
  settlement_id uuid,
  -- system, or the address of who asked for it.
  noted_by text not null,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  constraint provider_settlement_fetches_pk primary key (rail, reference),
  constraint provider_settlement_fetches_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint provider_settlement_fetches_source check (source in ('LIST', 'WEBHOOK', 'PERSON')),
  constraint provider_settlement_fetches_status check (status in ('WAITING', 'RECORDED', 'KNOWN')),
  constraint provider_settlement_fetches_lump check (lump_minor >= 0),
  constraint provider_settlement_fetches_due check ((due_at is null) = (status <> 'WAITING'))
);
create index provider_settlement_fetches_due_at on provider_settlement_fetches (mode, due_at) where status =
    'WAITING';
create index provider_settlement_fetches_newest on provider_settlement_fetches (first_seen_at, rail, reference);

-- ==== 0064_daily-closes ====

-- A day in Lagos of the books of a mode, of all merchants together, as one of the operator's people signed it. It is
-- the operator's.
create table daily_closes (
  id uuid not null,
  mode text not null,
  day date not null,
  -- Of this day, from 1: a close that was reopened stays, and the next version is signed anew.
  version integer not null,
  -- JSON text: exactly what was shown and signed.
  figures text not null,
  -- SHA-256 of that text, hex: what was signed.
  figures_digest text not null,
  signed_by uuid not null,
  signed_name text not null,
  signed_at timestamptz not null,
  -- Who signed it beside the first; null: nobody did.
  second_by uuid,
  second_name text,
  second_at timestamptz,
  reopened_by uuid,
  reopened_name text,
  reopened_at timestamptz,
  -- Why it counts no more.
  reopened_reason text,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  constraint daily_closes_pk primary key (id),
  constraint daily_closes_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint daily_closes_version check (version > 0),
  constraint daily_closes_second check (num_nonnulls(second_by, second_name, second_at) in (0, 3)),
  constraint daily_closes_reopened check (num_nonnulls(reopened_by, reopened_name, reopened_at, reopened_reason) in
      (0, 4))
);
create unique index daily_closes_version_once on daily_closes (mode, day, version);
create unique index daily_closes_one_in_force on daily_closes (mode, day) where reopened_at is null;

-- What the operator's accountant calls the accounts of the books, for the journal file of a day. Without a row an
-- account has a name of ours.
create table journal_accounts (
  kind text not null,
  -- A provider account, for what it owes; empty: all of the kind.
  rail text not null,
  code text not null,
  name text not null,
  set_by text not null,
  updated_at timestamptz not null,
  constraint journal_accounts_pk primary key (kind, rail)
);

-- ==== 0065_freezes ====

-- What the operator has frozen: an account at a bank, a payer, a reference, or all wallets of a merchant. What comes
-- from it or to it is held, and nothing leaves to it or from it.
create table freezes (
  id uuid not null,
  mode text not null,
  subject text not null,
  bank_code text,
  bank_name text,
  account_number text,
  -- Of a payer: the words of the name in any order; with an account number, both have to be the same.
  payer_name text,
  -- Of one payment or payout: an id of ours, a provider's, the network's, or the merchant's own.
  reference text,
  merchant_id uuid,
  reason text not null,
  -- By which order or law.
  legal_basis text not null,
  -- Who is responsible for it at the operator.
  owner text not null,
  starts_at timestamptz not null,
  -- From when on every process knows it: nothing passes after that, which is proven.
  in_force_at timestamptz not null,
  ends_at timestamptz,
  made_by uuid not null,
  made_at timestamptz not null,
  lifted_at timestamptz,
  -- The proposal by which two people lifted it.
  lift_id uuid,
  -- A digest of what was frozen and why, by which the proof finds an altered row.
  digest text not null,
  constraint freezes_pk primary key (id),
  constraint freezes_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint freezes_subject check (
case subject
    when 'ACCOUNT' then num_nonnulls(bank_code, bank_name,
      account_number) = 3 and num_nonnulls(payer_name, reference, merchant_id) = 0
    when 'PAYER' then payer_name is
      not null and num_nonnulls(bank_code, bank_name, reference, merchant_id) = 0
    when 'REFERENCE' then reference is
      not null and num_nonnulls(bank_code, bank_name, account_number, payer_name, merchant_id) = 0
    when 'MERCHANT'
      then merchant_id is not null and num_nonnulls(bank_code, bank_name, account_number, payer_name, reference) = 0
   
      else false
end),
  constraint freezes_times check (in_force_at >= starts_at and (ends_at is null or ends_at > starts_at)),
  constraint freezes_lifted check ((lifted_at is null) = (lift_id is null))
);
create index freezes_not_lifted on freezes (mode) where lifted_at is null;

-- Why a payment in or a payout is held, and what became of it. RELEASED: it went on. REFUSED: the money went back, or
-- did not leave. LAPSED: what held it is over.
create table compliance_cases (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  subject_type text not null,
  subject_id uuid not null,
  reason text not null,
  -- The id of the freeze, or what else held it: the same holds a payment or a payout once.
  cause text not null,
  freeze_id uuid,
  -- JSON text: what was found, by which list or which rule.
  facts text not null,
  status text not null,
  opened_at timestamptz not null,
  decided_at timestamptz,
  updated_at timestamptz not null,
  -- A digest of what was found, by which the proof finds an altered row.
  digest text not null,
  constraint compliance_cases_pk primary key (merchant_id, mode, id),
  constraint compliance_cases_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint compliance_cases_subject_type check (subject_type in ('PAYMENT', 'PAYOUT')),
  constraint compliance_cases_status check (status in ('OPEN', 'RELEASED', 'REFUSED', 'LAPSED')),
  constraint compliance_cases_freeze check ((reason = 'FROZEN') = (freeze_id is not null)),
  constraint compliance_cases_decided check ((status = 'OPEN') = (decided_at is null))
);
create index compliance_cases_by_freeze on compliance_cases (freeze_id) where freeze_id is not null;
create index compliance_cases_open on compliance_cases (merchant_id, mode, id) where status = 'OPEN';
create unique index compliance_cases_once on compliance_cases (merchant_id, mode, subject_id, cause);
create index compliance_cases_newest on compliance_cases (id) where opened_at > '-infinity';
create index compliance_cases_open_newest on compliance_cases (id) where status = 'OPEN';

-- That a freeze is to be lifted, or a payout that is held is to go: one of the operator's people proposes it, another
-- confirms it.
create table compliance_proposals (
  id uuid not null,
  mode text not null,
  action text not null,
  freeze_id uuid,
  merchant_id uuid,
  case_id uuid,
  note text not null,
  -- A digest of what was proposed, which the second person confirms.
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint compliance_proposals_pk primary key (id),
  constraint compliance_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint compliance_proposals_action check (
case action
    when 'LIFT' then freeze_id is not null and
      num_nonnulls(merchant_id, case_id) = 0
    when 'RELEASE' then freeze_id is null and num_nonnulls(merchant_id,
      case_id) = 2
    else false
end),
  constraint compliance_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'WITHDRAWN')),
  constraint compliance_proposals_decided check ((status = 'PENDING') = (decided_at is null))
);
create index compliance_proposals_by_freeze on compliance_proposals (freeze_id);
create unique index compliance_proposals_one_lift on compliance_proposals (freeze_id) where status = 'PENDING';
create unique index compliance_proposals_one_release on compliance_proposals (case_id) where status = 'PENDING';

-- ==== 0066_screening ====

-- One version of a list. A new version of the same name and mode ends the one before it, which stays to explain what it
-- held.
create table screening_lists (
  id uuid not null,
  name text not null,
  mode text not null,
  -- Who publishes it, and where it was taken from.
  source text not null,
  -- The day that the list itself gives.
  listed_on date not null,
  entry_count integer not null,
  -- SHA-256 of the file, hex.
  file_hash text not null,
  imported_by text not null,
  imported_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  constraint screening_lists_pk primary key (id),
  constraint screening_lists_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint screening_lists_count check (entry_count >= 0),
  constraint screening_lists_ended check ((ended_at is null) = (ended_by is null))
);
create unique index screening_lists_in_force on screening_lists (name, mode) where ended_at is null;

-- What a version of a list names: a person or a business, other names of it, an account.
create table screening_entries (
  list_id uuid not null,
  -- Its row in the file, from 1.
  entry_number integer not null,
  name text not null,
  -- JSON text: a list of other names.
  aliases text not null,
  account_number text,
  bank_code text,
  constraint screening_entries_pk primary key (list_id, entry_number)
);

-- ==== 0067_tier-limits ====

-- What merchants of a tier may do, as dated rows: of several of one tier and mode the one that began last counts. Null
-- is no limit.
create table tier_limits (
  id uuid not null,
  tier text not null,
  mode text not null,
  single_in_minor bigint,
  -- A day begins at midnight in Lagos, here and for what goes out.
  daily_in_minor bigint,
  -- Of all wallets of a merchant together.
  balance_minor bigint,
  single_out_minor bigint,
  daily_out_minor bigint,
  effective_from timestamptz not null,
  -- Which rule or circular says so, and who set it.
  source text not null,
  created_at timestamptz not null,
  constraint tier_limits_pk primary key (id),
  constraint tier_limits_tier check (tier in ('TIER_1', 'TIER_2', 'TIER_3')),
  constraint tier_limits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint tier_limits_amounts check (single_in_minor > 0 and daily_in_minor > 0 and balance_minor > 0 and
      single_out_minor > 0 and daily_out_minor > 0)
);

-- The tier of a merchant as dated rows; the last one counts. Null, as without any row: no limit of a tier.
create table merchant_tiers (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  tier text,
  reason text not null,
  set_by text not null,
  set_at timestamptz not null,
  constraint merchant_tiers_pk primary key (merchant_id, mode, id),
  constraint merchant_tiers_tier check (tier in ('TIER_1', 'TIER_2', 'TIER_3')),
  constraint merchant_tiers_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- From which amount on a transaction stands in the list of large ones, as dated rows: the one that began last counts.
create table report_thresholds (
  id uuid not null,
  individual_minor bigint not null,
  corporate_minor bigint not null,
  effective_from timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  constraint report_thresholds_pk primary key (id),
  constraint report_thresholds_amounts check (individual_minor > 0 and corporate_minor > 0)
);

-- ==== 0071_dispute-proposals ====

-- What one of the operator's people says of a dispute whose provider cannot be asked, for another to confirm: that
-- there is one, or how it ended. Every one is kept.
create table dispute_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  action text not null,
  -- Of an OPEN: the id that the dispute gets.
  dispute_id uuid not null,
  payment_id uuid not null,
  rail text not null,
  provider_dispute_id text not null,
  amount_minor bigint not null,
  category text not null,
  message text,
  due_at timestamptz,
  source text not null,
  note text not null,
  -- SHA-256 in hex over what is proposed: the second person confirms this.
  digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  constraint dispute_proposals_pk primary key (merchant_id, mode, id),
  constraint dispute_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dispute_proposals_action check (action in ('OPEN', 'WON', 'LOST')),
  constraint dispute_proposals_amount check (amount_minor > 0),
  constraint dispute_proposals_category check (category in ('CHARGEBACK', 'FRAUD', 'GENERAL')),
  constraint dispute_proposals_source check (source in ('BANK_LETTER', 'RAIL_DASHBOARD', 'SETTLEMENT_FILE',
      'RAIL_SUPPORT', 'OTHER')),
  constraint dispute_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED')),
  constraint dispute_proposals_two_people check (decided_by <> proposed_by or status <> 'CONFIRMED')
);
create unique index dispute_proposals_one_open on dispute_proposals (merchant_id, mode, rail, provider_dispute_id)
    where status = 'PENDING';
create index dispute_proposals_of_dispute on dispute_proposals (merchant_id, mode, dispute_id, id);

-- ==== 0050_refunds ====

-- What of payments for payment sessions goes back by itself, each version as it was made; the last one counts. Without
-- one nothing does.
create table refund_rules (
  merchant_id uuid not null,
  mode text not null,
  version integer not null,
  id uuid not null,
  -- Payments that came after their session had ended: OFF, or the way in which they go back.
  late text not null,
  -- The same of what was paid above the amount asked, and of a second payment.
  excess text not null,
  changed_by text not null,
  changed_at timestamptz not null,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  constraint refund_rules_pk primary key (merchant_id, mode, version),
  constraint refund_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refund_rules_version check (version > 0),
  constraint refund_rules_ways check ((late in ('OFF', 'PROVIDER', 'PAYOUT')) and (excess in ('OFF', 'PROVIDER',
      'PAYOUT')))
);

-- ==== 0074_refund-rules ====

-- Payments in that a refund rule is for, written in the movement that books the payment. The row is the queue: whoever
-- finds it due makes the refund, once.
create table payments_to_refund (
  merchant_id uuid not null,
  mode text not null,
  -- Of the payment.
  id uuid not null,
  cause text not null,
  -- What the payer did not owe: all of a late or second payment, or what is above the amount asked. What is taken back
  -- otherwise counts towards it.
  due_minor bigint not null,
  -- Of the rule by which it is here, and once it is refunded, of the one by which it was.
  rule_version integer not null,
  -- LEFT: nothing goes back, because the rule was switched off, nothing is left of it, or the payment is no longer the
  -- merchant's. REFUSED: it could not be made, and people have to.
  status text not null,
  reason text,
  refund_id uuid,
  -- Since when something stands against it that may pass, such as too little money.
  blocked_since timestamptz,
  due_at timestamptz,
  attempts integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payments_to_refund_pk primary key (merchant_id, mode, id),
  constraint payments_to_refund_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payments_to_refund_cause check (cause in ('LATE', 'EXCESS')),
  constraint payments_to_refund_due check (due_minor > 0),
  constraint payments_to_refund_status check (status in ('WAITING', 'REFUNDED', 'LEFT', 'REFUSED'))
);
create index payments_to_refund_due on payments_to_refund (merchant_id, mode, due_at) where due_at is not null;
create index payments_to_refund_refused on payments_to_refund (merchant_id, mode, updated_at) where status =
    'REFUSED';
create index payments_to_refund_due_at on payments_to_refund (due_at) where due_at > '-infinity';

-- ==== 0077_settlements-of-wallets ====

-- Whether what a store or subaccount collects goes to the merchant's bank, each version as it was made; the last one
-- counts. When it goes is the merchant's schedule.
create table wallet_settlement_settings (
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  version integer not null,
  id uuid not null,
  is_settled boolean not null,
  -- So much stays in the wallet.
  keep_minor bigint not null,
  changed_by text not null,
  changed_at timestamptz not null,
  -- A digest of the row, by which the proof finds an altered one.
  digest text not null,
  constraint wallet_settlement_settings_pk primary key (merchant_id, mode, wallet_id, version),
  constraint wallet_settlement_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint wallet_settlement_settings_keep check (keep_minor >= 0)
);

-- Where the settlements of a store or subaccount begin, and what came of its last turn.
create table wallet_settlement_states (
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  -- As the last version of its settings says.
  is_settled boolean not null,
  -- The first settlement begins behind this entry of the wallet: what is older is not settled.
  first_sequence bigint not null,
  first_balance_minor bigint not null,
  -- Why the last turn made no settlement.
  result text,
  updated_at timestamptz not null,
  constraint wallet_settlement_states_pk primary key (merchant_id, mode, wallet_id),
  constraint wallet_settlement_states_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0083_sandbox-settlements ====

-- The simulated bank's own book of what it settled of each merchant.
create table sandbox_settlements (
  merchant_id uuid not null,
  mode text not null,
  id text not null,
  scenario text not null,
  -- What its lines come to.
  lump_minor bigint not null,
  -- JSON text: what of each payment it settled, and what it took.
  lines text not null,
  made_at timestamptz not null,
  next_webhook_at timestamptz,
  constraint sandbox_settlements_pk primary key (merchant_id, mode, id),
  constraint sandbox_settlements_mode check (mode = 'SANDBOX'),
  constraint sandbox_settlements_lump check (lump_minor >= 0)
);
create index sandbox_settlements_by_time on sandbox_settlements (made_at, id);
create index sandbox_settlements_webhooks on sandbox_settlements (merchant_id, mode, next_webhook_at) where
    next_webhook_at is not null;

-- ==== 0091_statement-totals ====

-- What the posted transfers of a wallet come to from the first to the one with this sequence, in minor units: a row for
-- every 500th transfer. Derived from the transfers by a worker, which may be behind: what follows the last row is
-- counted when it is read.
create table statement_totals (
  merchant_id uuid not null,
  mode text not null,
  account_id uuid not null,
  sequence bigint not null,
  -- Posted transfers among them: holds and releases have a sequence, and no line.
  entries bigint not null,
  credits_minor bigint not null,
  debits_minor bigint not null,
  constraint statement_totals_pk primary key (merchant_id, mode, account_id, sequence),
  constraint statement_totals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint statement_totals_sums check (sequence > 0 and entries >= 0 and entries <= sequence and credits_minor >=
      0 and debits_minor >= 0)
);
create index statement_totals_by_entries on statement_totals (merchant_id, mode, account_id, entries, sequence);

-- ==== 0100_event-archives ====

-- The files that a tenant's old events and their idempotency keys were written to, numbered from 1. Each has only
-- events behind those of the one before.
create table event_archives (
  merchant_id uuid not null,
  mode text not null,
  number integer not null,
  id uuid not null,
  first_sequence bigint not null,
  last_sequence bigint not null,
  events bigint not null,
  keys bigint not null,
  file_name text not null,
  file_bytes bigint not null,
  -- SHA-256 of the file as it lies in the directory, in hex.
  file_hash text not null,
  -- SHA-256 of what is in it, in hex: of its lines before they were compressed.
  content_hash text not null,
  -- SHA-256 over this row, without how far it is removed, and the head of the one before: the chain of a tenant's
  -- archives.
  head text not null,
  archived_at timestamptz not null,
  -- Events of the file up to here, and their keys, are gone from their tables. Rows are removed in pieces once the file
  -- was read back.
  removed_to bigint not null,
  constraint event_archives_pk primary key (merchant_id, mode, number),
  constraint event_archives_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint event_archives_range check (number > 0 and 0 < first_sequence and first_sequence <= last_sequence and
      events > 0 and keys >= 0 and keys <= events and file_bytes > 0 and removed_to >= (first_sequence - 1) and
      removed_to <= last_sequence)
);

-- Idempotency keys that are in an archive, written as they leave their table: who repeats one is refused, and nothing
-- is carried out a second time.
create table archived_keys (
  merchant_id uuid not null,
  mode text not null,
  -- The first half of the SHA-256 of the key.
  fingerprint uuid not null,
  -- What the request made.
  transaction_id uuid not null,
  constraint archived_keys_pk primary key (merchant_id, mode, fingerprint),
  constraint archived_keys_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0113_encryption-keys ====

-- The id of the key-encryption key that values of this database are sealed under: a start with another one is refused.
-- The key itself is never here.
create table encryption_keys (
  id text not null,
  first_used_at timestamptz not null,
  constraint encryption_keys_pk primary key (id)
);

-- ==== 0131_lost-archives ====

-- Files of event_archives that the operator has abandoned: later events are archived all the same, and every proof
-- names them.
create table lost_archives (
  merchant_id uuid not null,
  mode text not null,
  number integer not null,
  reason text not null,
  abandoned_by text not null,
  abandoned_at timestamptz not null,
  -- When it was in its folder again, as it was written: from then on it is a file like the others.
  found_at timestamptz,
  constraint lost_archives_pk primary key (merchant_id, mode, number),
  constraint lost_archives_mode check (mode in ('SANDBOX', 'LIVE'))
);

-- ==== 0132_event-templates ====

-- What events of one kind have in common. A row is never changed or removed, since events are read with it.
create table event_templates (
  merchant_id uuid not null,
  -- The first half of the SHA-256 of the text: the same text has one row.
  id uuid not null,
  -- JSON in the form of format(): %1$s is the subject of the event, %2$s the same without hyphens, %3$s its time, and
  -- from %4$s on its values.
  text text not null,
  -- How many values an event with this template has.
  value_count integer not null,
  created_at timestamptz not null,
  constraint event_templates_pk primary key (merchant_id, id)
);

-- ==== triggers and functions ====

CREATE OR REPLACE FUNCTION refuse_change_of_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The audit log is only added to: % of % is refused.', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION insert_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_rows (merchant_id, mode, sequence, id, type, subject_id, data, created_at, idempotency_key, request_id)
  values (new.merchant_id, new.mode, new.sequence, new.id, new.type, new.subject_id, new.data, new.created_at,
          new.idempotency_key, new.request_id);
  return new;
end
$function$;

create trigger audit_entries_append_only before delete or update or truncate on audit_entries for each statement
    execute function refuse_change_of_audit();

create trigger audit_seals_append_only before delete or update or truncate on audit_seals for each statement execute
    function refuse_change_of_audit();

create trigger events_of_before instead of insert on events for each row execute function insert_event();
