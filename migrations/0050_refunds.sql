-- What goes back to payers: refunds of payments in, what providers were asked and answered about them, and the rule by which they are made.

create table refunds (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payment_id uuid not null,
  wallet_id uuid not null,
  way text not null,
  cause text not null,
  amount_minor bigint not null,
  currency text not null,
  note text,
  client_reference text,
  status text not null,
  reason text,
  rail text not null,
  receivable_id uuid not null,
  hold_id uuid,
  payout_id uuid,
  provider_refund_id text,
  bank_code text,
  account_number text,
  account_name text,
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
  sent_at timestamptz,
  operator_reason text,
  operator_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint refunds_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refunds_way check (way in ('PROVIDER', 'PAYOUT')),
  constraint refunds_cause check (cause in ('MERCHANT', 'LATE', 'EXCESS')),
  constraint refunds_amount check (amount_minor > 0),
  constraint refunds_status check (status in ('PENDING_APPROVAL', 'QUEUED', 'PROCESSING', 'NEEDS_DETAILS', 'SUCCESS',
    'FAILED', 'CANCELLED')),
  constraint refunds_next_step check (next_step in ('SEND', 'QUERY', 'DETAILS', 'FOLLOW', 'CHECK')),
  constraint refunds_held check ((way = 'PROVIDER') = (hold_id is not null) and (way = 'PAYOUT') = (payout_id is not null)),
  constraint refunds_account check (num_nulls(bank_code, account_number, account_name) in (0, 3)),
  constraint refunds_operator check ((operator_reason is null) = (operator_since is null)),
  constraint refunds_scenario_sandbox_only check (scenario is null or mode = 'SANDBOX')
);
comment on table refunds is
  'What goes back of a payment in to its payer. PROVIDER: the provider that has the payment sends it, and it is held until the provider says what became of it. PAYOUT: an ordinary payout with the purpose REFUND, whose outcome is the refund''s. The row is the queue: whoever finds it due takes its next step.';
comment on column refunds.wallet_id is 'That it leaves: by a payout, the main wallet.';
comment on column refunds.cause is 'Who decided: the merchant for this one, or the rule for late payments or for what was paid too much.';
comment on column refunds.note is 'The merchant''s words; providers are sent them too.';
comment on column refunds.rail is 'The provider account that has the payment.';
comment on column refunds.receivable_id is 'What that account owes, which a refund by the provider lowers.';
comment on column refunds.bank_code is 'With the two columns below: the payer''s account, where the provider asked for it or a payout goes there.';
comment on column refunds.counted_on is 'The day in Lagos against whose limit it was counted; null for a payout, which is counted itself.';
comment on column refunds.sent_at is 'The latest moment at which the provider may have been asked to send it.';
comment on column refunds.operator_since is 'Since when people have to look into it.';
create index refunds_due on refunds (merchant_id, mode, due_at) where due_at is not null;
create index refunds_of_payment on refunds (merchant_id, mode, payment_id, id);
create index refunds_of_payout on refunds (merchant_id, mode, payout_id) where payout_id is not null;
create index refunds_to_look_into on refunds (merchant_id, mode, status, updated_at)
  where status in ('NEEDS_DETAILS', 'FAILED');
create index refunds_before_operator on refunds (merchant_id, mode, operator_since) where operator_reason is not null;
-- The rule makes one refund of a payment, whoever finds it first.
create unique index refunds_by_rule on refunds (merchant_id, mode, payment_id) where cause <> 'MERCHANT';
-- PostgreSQL breaks ties between indexes by the newest: the key comes after those that it has to win against.
alter table refunds add constraint refunds_pk primary key (merchant_id, mode, id);

create table refund_attempts (
  merchant_id uuid not null,
  mode text not null,
  refund_id uuid not null,
  id uuid not null,
  rail text not null,
  kind text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text,
  code text,
  reason text,
  message text,
  provider_refund_id text,
  reported text,
  digest text not null,
  constraint refund_attempts_pk primary key (merchant_id, mode, refund_id, id),
  constraint refund_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refund_attempts_kind check (kind in ('SEND', 'QUERY', 'DETAILS', 'CHECK', 'OPERATOR')),
  constraint refund_attempts_outcome check (outcome in ('succeeded', 'failed', 'needs_details', 'pending', 'not_found',
    'unknown')),
  constraint refund_attempts_ended check ((ended_at is null) = (outcome is null))
);
comment on table refund_attempts is
  'Evidence: each call to a provider about a refund with what it answered, and what two of the operator''s people decided.';
comment on column refund_attempts.id is 'Sorts by time.';
comment on column refund_attempts.ended_at is 'Null: there is no answer, because the call is under way or its worker died.';
comment on column refund_attempts.reported is
  'JSON text: what the provider reported of the refund (amount, currency, transaction). Null: it reported nothing.';
comment on column refund_attempts.digest is 'A digest of the row, by which the proof finds altered evidence.';

create table refund_keys (
  rail text not null,
  key text not null,
  merchant_id uuid not null,
  mode text not null,
  refund_id uuid not null,
  constraint refund_keys_pk primary key (rail, key, merchant_id, mode, refund_id),
  constraint refund_keys_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table refund_keys is
  'Directory: what a provider''s webhook about a refund may name leads to our refunds: our reference, its own id of the refund, and its id and reference of the payment. It only makes us ask the provider.';

create table refund_rules (
  merchant_id uuid not null,
  mode text not null,
  is_late_refunded boolean not null,
  is_excess_refunded boolean not null,
  late_since timestamptz,
  excess_since timestamptz,
  updated_at timestamptz not null,
  constraint refund_rules_pk primary key (merchant_id, mode),
  constraint refund_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint refund_rules_since check (is_late_refunded = (late_since is not null)
    and is_excess_refunded = (excess_since is not null))
);
comment on table refund_rules is
  'What of payments for payment sessions goes back by itself: what came late, and what is more than was asked for. Without a row nothing does.';
comment on column refund_rules.late_since is 'Payments that were booked before this are left as they are.';

create table sandbox_refunds (
  merchant_id uuid not null,
  mode text not null,
  reference text not null,
  credit_id text not null,
  amount_minor bigint not null,
  currency text not null,
  scenario text not null,
  account_number text,
  received_at timestamptz,
  first_asked_at timestamptz not null,
  queries integer not null,
  constraint sandbox_refunds_mode check (mode = 'SANDBOX'),
  constraint sandbox_refunds_amount check (amount_minor > 0)
);
create index sandbox_refunds_of_credit on sandbox_refunds (merchant_id, mode, credit_id);
alter table sandbox_refunds add constraint sandbox_refunds_pk primary key (merchant_id, mode, reference);
comment on table sandbox_refunds is
  'The sandbox bank''s own book of refunds, apart from ours, so that the two can be compared.';
comment on column sandbox_refunds.received_at is 'When it came into the bank''s book; null where the first request was lost on its way.';
comment on column sandbox_refunds.account_number is 'The payer''s account, once it was given.';

alter table approvals drop constraint approvals_kind;
alter table approvals add constraint approvals_kind
  check (kind in ('PAYOUT', 'SCHEDULE', 'BATCH', 'LIMIT', 'BENEFICIARY', 'RULES', 'REFUND')) not valid;

alter table payouts drop constraint payouts_purpose;
alter table payouts add constraint payouts_purpose
  check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT', 'SETTLEMENT', 'REFUND')) not valid;
