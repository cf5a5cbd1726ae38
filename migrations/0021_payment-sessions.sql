-- Payment sessions: what a merchant asks somebody to pay, with an account number or a page of its own, and what came.

create table payment_sessions (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  reference text not null,
  content_hash text not null,
  status text not null,
  reason text,
  message text,
  version integer not null,
  amount_minor bigint not null,
  payable_minor bigint not null,
  received_minor bigint not null,
  currency text not null,
  amount_rule text not null,
  wallet_id uuid not null,
  rail text not null,
  opens text not null,
  channels text not null,
  page_channels text not null,
  customer_name text not null,
  customer_email text not null,
  customer_phone text,
  description text,
  metadata text,
  return_url text,
  cancel_url text,
  opened_by text not null,
  origin text,
  provider_reference text,
  ussd_code text,
  page_url text,
  attempts integer not null,
  due_at timestamptz,
  checked_at timestamptz,
  opened_at timestamptz,
  paid_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payment_sessions_pk primary key (merchant_id, mode, id),
  constraint payment_sessions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payment_sessions_status
    check (status in ('OPENING', 'OPEN', 'PARTIALLY_PAID', 'PAID', 'EXPIRED', 'CANCELLED', 'FAILED')),
  constraint payment_sessions_amount_rule check (amount_rule in ('EXACT', 'AT_LEAST', 'ANY')),
  constraint payment_sessions_opens check (opens in ('ACCOUNT', 'PAGE')),
  constraint payment_sessions_opened_by check (opened_by in ('SECRET_KEY', 'PUBLIC_KEY', 'PERSON')),
  constraint payment_sessions_amounts check (amount_minor > 0 and payable_minor >= amount_minor and received_minor >= 0)
);
comment on table payment_sessions is
  'What a merchant asks somebody to pay once. EXPIRED and CANCELLED end the page, not the account: money that comes later is a payment of its own.';
comment on column payment_sessions.id is 'Without its hyphens, our reference at the provider.';
comment on column payment_sessions.content_hash is 'SHA-256 of what was asked for: a repeated reference has to ask for the same.';
comment on column payment_sessions.version is 'Taken by every change as a unique key, so that two changes at once both count.';
comment on column payment_sessions.payable_minor is 'What the payer has to send: more than the amount where the provider adds its fee.';
comment on column payment_sessions.opens is 'What the provider is asked for: an account number or a page.';
comment on column payment_sessions.channels is 'As they were asked for, separated by spaces.';
comment on column payment_sessions.page_channels is 'What the provider''s page may offer, separated by spaces; empty for an account number.';
comment on column payment_sessions.opened_by is
  'PUBLIC_KEY: the amount came from a browser, and no server of the merchant has confirmed it.';
comment on column payment_sessions.origin is 'Of the browser that opened it; null for whatever is no browser.';
comment on column payment_sessions.due_at is
  'When a worker next asks the provider, or the end of its lease; once it is open, when it expires.';
comment on column payment_sessions.checked_at is 'When the provider was last asked at a payer''s request.';
create index payment_sessions_opening on payment_sessions (merchant_id, mode, due_at) where status = 'OPENING';
create index payment_sessions_expiring on payment_sessions (merchant_id, mode, due_at)
  where status in ('OPEN', 'PARTIALLY_PAID');
create index payment_sessions_by_public_key on payment_sessions (merchant_id, mode, created_at)
  where opened_by = 'PUBLIC_KEY';

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
comment on table payment_session_accounts is
  'What a payer types to pay a session: bank, number, and the name that the payer''s bank will show.';

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
comment on table payment_session_payments is
  'The payments in that came for a session. Each was counted in its own movement, by the version that it took.';

create table collection_settings (
  merchant_id uuid not null,
  mode text not null,
  public_keys boolean not null,
  allowed_origins text not null,
  allowed_return_hosts text not null,
  max_amount_minor bigint,
  sessions_per_minute integer not null,
  updated_at timestamptz not null,
  constraint collection_settings_pk primary key (merchant_id, mode),
  constraint collection_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint collection_settings_limits
    check (sessions_per_minute > 0 and (max_amount_minor > 0 and allowed_origins <> '' or not public_keys))
);
comment on table collection_settings is
  'What public keys may do in a merchant''s name: they sit in browsers, where anybody can read them. Without a row they open nothing.';
comment on column collection_settings.allowed_origins is 'Origins of the merchant''s pages, separated by spaces.';
comment on column collection_settings.allowed_return_hosts is
  'Hosts to which a session that a public key opened may send its payer, separated by spaces.';

create table collection_origins (
  origin text not null,
  merchant_id uuid not null,
  mode text not null,
  constraint collection_origins_pk primary key (origin, merchant_id, mode),
  constraint collection_origins_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table collection_origins is
  'Directory: which origins some merchant allows. A browser asks before it sends its request, and without a key.';
create index collection_origins_of_merchant on collection_origins (merchant_id, mode);

-- A payer who asks whether the money is there is answered by our reference, which leads to the number.
create index sandbox_credits_of_account on sandbox_credits (account_number, paid_at);
