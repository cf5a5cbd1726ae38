-- The books: accounts, transfers and what commits with them. Only src/ledger writes these tables.

create table books (
  merchant_id uuid not null,
  mode text not null,
  event_sequence bigint not null,
  constraint books_pk primary key (merchant_id, mode),
  constraint books_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint books_event_sequence check (event_sequence >= 0)
) with (fillfactor = 50);
comment on table books is
  'One row per merchant and mode. Every group of movements locks it first, so one tenant''s money has one order.';

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
  constraint accounts_owner_unique unique (merchant_id, mode, kind, owner_id),
  constraint accounts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint accounts_kind check (kind in (
    'MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET',
    'PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE'
  )),
  constraint accounts_currency check (currency in ('NGN')),
  constraint accounts_sums_not_negative check (
    debits_posted_minor >= 0 and credits_posted_minor >= 0
    and debits_pending_minor >= 0 and credits_pending_minor >= 0 and sequence >= 0
  ),
  constraint accounts_customer_not_overdrawn check (
    kind not in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET')
    or credits_posted_minor - debits_posted_minor - debits_pending_minor >= 0
  )
) with (fillfactor = 50);
comment on table accounts is
  'A ledger account with its balances. They are on the row, which is locked before every decision: nothing sums '
  'history to know a balance.';

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
  constraint transfers_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint transfers_kind check (kind in ('POSTED', 'PENDING', 'POST', 'VOID')),
  constraint transfers_resolution check ((kind in ('POST', 'VOID')) = (pending_id is not null)),
  constraint transfers_amount_positive check (amount_minor > 0),
  constraint transfers_two_accounts check (debit_account_id <> credit_account_id)
);
comment on table transfers is
  'One immutable row moves money between two accounts of one merchant, so a transfer cannot be unbalanced.';
create unique index transfers_debit_sequence on transfers (merchant_id, debit_account_id, debit_sequence);
create unique index transfers_credit_sequence on transfers (merchant_id, credit_account_id, credit_sequence);
create unique index transfers_resolved_once on transfers (merchant_id, pending_id) where pending_id is not null;
-- PostgreSQL breaks ties between indexes by the newest: the key comes after those that it has to win against.
alter table transfers add constraint transfers_pk primary key (merchant_id, transaction_id, id);

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
  -- The answer is a whole body, or a message around the data of an event: then that text is kept once.
  constraint idempotency_keys_answer check (
    (answer_body is not null and answer_message is null and event_sequence is null)
    or (answer_body is null and answer_message is not null and event_sequence is not null)
  )
);
comment on table idempotency_keys is
  'The key, the hash of the input and the first answer commit with the effect: a retry can only read them.';

create table events (
  merchant_id uuid not null,
  mode text not null,
  sequence bigint not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  data text not null,
  created_at timestamptz not null,
  idempotency_key text,
  request_id text,
  constraint events_pk primary key (merchant_id, mode, sequence),
  constraint events_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table events is
  'What happened, in order, per tenant, written with the change itself. The source of every webhook.';
comment on column events.data is 'JSON as text: it is delivered byte for byte, and nothing here has to look into it.';
comment on column events.idempotency_key is
  'The key of the request. Null: it had none. A key that is lost, and would let its request pay again, is missed by '
  'it.';
comment on column events.request_id is 'The request that caused it. Null: no request did.';
create index events_by_subject on events (merchant_id, subject_id, sequence)
  where type <> 'transaction.succeeded';

create table claims (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  value text not null,
  subject_id uuid not null,
  created_at timestamptz not null,
  constraint claims_pk primary key (merchant_id, mode, scope, value),
  constraint claims_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table claims is
  'A name that can be taken once for ever, such as a merchant''s own reference. It leads to what took it.';

create table marks (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  value text not null,
  subject_id uuid not null,
  noted_at timestamptz not null,
  constraint marks_pk primary key (merchant_id, mode, scope, value),
  constraint marks_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table marks is 'A name that is taken for a while only. It leads to what noted it last.';

create table allowances (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  period text not null,
  used_minor bigint not null,
  constraint allowances_pk primary key (merchant_id, mode, scope, period),
  constraint allowances_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint allowances_used check (used_minor >= 0)
);
comment on table allowances is
  'How much of something that is limited per period a tenant has used, such as the payouts of a day.';

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
comment on table state_changes is 'One row per change of state: the history of a payout, a batch or any other subject.';
