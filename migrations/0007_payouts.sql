-- A payout from its request to its outcome: charges, limits, duplicates, attempts, decided outcomes.

create table payouts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  batch_id uuid,
  purpose text not null,
  phone_number text,
  rail text not null,
  rail_reference text not null,
  scenario text,
  scheduled_for timestamptz,
  next_step text not null,
  due_at timestamptz,
  attempts integer not null,
  first_sent_at timestamptz,
  session_id text,
  rail_code text,
  fee_minor bigint not null,
  vat_minor bigint not null,
  stamp_duty_minor bigint not null,
  amount_hold_id uuid,
  fee_hold_id uuid,
  vat_hold_id uuid,
  stamp_duty_hold_id uuid,
  counted_on date,
  mark text,
  claim_id uuid,
  sent_at timestamptz,
  refused_by text,
  told_by text,
  operator_reason text,
  operator_since timestamptz,
  approval_id uuid,
  rules_version integer,
  allow_duplicate boolean not null default false,
  constraint payouts_pk primary key (merchant_id, mode, id),
  constraint payouts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payouts_purpose check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT')),
  constraint payouts_next_step check (next_step in ('FIRE', 'SEND', 'QUERY')),
  constraint payouts_scenario_sandbox_only check (scenario is null or mode = 'SANDBOX'),
  constraint payouts_charges check (fee_minor >= 0 and vat_minor >= 0 and stamp_duty_minor >= 0),
  constraint payouts_sent_is_held check (next_step = 'FIRE' or amount_hold_id is not null),
  constraint payouts_told_by_its_rail check (told_by is null or told_by = rail),
  constraint payouts_other_rail_took_over check (refused_by is null or refused_by <> rail),
  constraint payouts_operator_reason check (
    operator_reason in ('UNKNOWN_TOO_LONG', 'RAIL_CONTRADICTS', 'RAIL_ANSWER_MISMATCH', 'APPROVAL_SUBJECT_ALTERED')
  ),
  constraint payouts_operator_both check ((operator_reason is null) = (operator_since is null))
) with (fillfactor = 80);
comment on table payouts is
  'What a payout needs besides its transaction: rail, charges, holds, and when a worker must next act. This row is '
  'the queue. The state is in transactions.status only.';
comment on column payouts.scenario is 'Sandbox only: the scenario that the request named.';
comment on column payouts.due_at is
  'Null: nobody has to act any more. While a worker has it, the end of that worker''s lease.';
comment on column payouts.amount_hold_id is 'Null until the holds are made; a hold of zero is none.';
comment on column payouts.counted_on is
  'The day (Africa/Lagos) whose limit it was counted against, so that a failed one releases its part. Null: it was '
  'not counted.';
comment on column payouts.mark is 'Not written any more: dedupe_keys recognise a duplicate.';
comment on column payouts.claim_id is
  'The worker''s lease has an id: it is renewed while the worker lives, and nobody mistakes another''s lease for '
  'its own. Null: nobody has one.';
comment on column payouts.sent_at is
  'The latest moment at which its rail may have been asked to send it; null where that rail certainly was not. '
  'Until a while after it, "not found" is no reason to send again.';
comment on column payouts.refused_by is 'The rail that refused it before it failed over to another.';
comment on column payouts.told_by is
  'The rail whose response ended it. A rail that lost the payout to another can no longer end it: the check refuses '
  'that.';
comment on column payouts.operator_reason is 'Why a person has to look into it.';
comment on column payouts.approval_id is 'Null: it needed none.';
comment on column payouts.rules_version is
  'The version of the approval rules by which it needed an approval or none, so that a proof need not guess. Null: '
  'the merchant had no rules.';
comment on column payouts.allow_duplicate is
  'Accepted although the same was paid: one that is scheduled or approved later has to know.';
create index payouts_due on payouts (merchant_id, mode, due_at, id) where due_at is not null;
create index payouts_scheduled on payouts (merchant_id, mode, id) where scheduled_for is not null;
create index payouts_batch on payouts (merchant_id, mode, batch_id) where batch_id is not null;
-- Singles have an index of their own, so that they need not wait behind a batch.
create index payouts_due_singles on payouts (merchant_id, mode, due_at, id)
  where due_at is not null and batch_id is null;
create index payouts_for_operator on payouts (merchant_id, operator_since) where operator_reason is not null;

create table payout_attempts (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text,
  code text,
  reason text,
  message text,
  session_id text,
  rail text not null default 'sandbox',
  reported text,
  digest text,
  constraint payout_attempts_pk primary key (merchant_id, mode, payout_id, id),
  constraint payout_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_attempts_kind check (kind in ('SEND', 'QUERY', 'NOTICE', 'SETTLEMENT', 'OPERATOR')),
  constraint payout_attempts_outcome check (
    outcome in ('succeeded', 'failed', 'unknown', 'not_found', 'reversed')
  ),
  constraint payout_attempts_ended check ((ended_at is null) = (outcome is null))
);
comment on table payout_attempts is
  'Every call to a rail leaves a row before it is made; a provider webhook, a settlement line and an operator''s '
  'decision leave one too. Together they are the evidence for the outcome.';
comment on column payout_attempts.id is 'Sorts by time.';
comment on column payout_attempts.ended_at is
  'Null: there is no answer, because the call is under way or its worker died.';
comment on column payout_attempts.reported is
  'JSON text: what the rail reported of the transfer (reference, amount, currency, account, bank). An answer is '
  'believed only about the transfer that was sent. Null: it reported nothing.';
comment on column payout_attempts.digest is 'A digest of the row, by which the proof finds altered evidence.';

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
  digest text,
  constraint fee_rules_pk primary key (id),
  constraint fee_rules_currency check (currency ~ '^[A-Z]{3}$'),
  constraint fee_rules_kind check (kind in ('TRANSFER_FEE', 'VAT', 'STAMP_DUTY')),
  constraint fee_rules_amounts check (min_amount_minor >= 0 and max_amount_minor >= min_amount_minor),
  constraint fee_rules_flat check (flat_minor >= 0),
  constraint fee_rules_rate check (rate_basis_points between 0 and 10000),
  constraint fee_rules_payer check (payer in ('SENDER', 'RECEIVER')),
  constraint fee_rules_rounding check (rounding in ('HALF_UP', 'HALF_EVEN', 'DOWN', 'UP')),
  constraint fee_rules_effective check (effective_to > effective_from)
);
comment on table fee_rules is
  'Fees, VAT and stamp duty change by decree on a date, so they are dated rows. A rule applies to amounts from '
  'min_amount_minor to max_amount_minor, both included, and from effective_from up to, but not at, effective_to. It '
  'charges flat_minor plus rate_basis_points of its base: the amount of the payout for TRANSFER_FEE and STAMP_DUTY, '
  'the transfer fee for VAT. rounding says what becomes of a fraction of a minor unit.';
comment on column fee_rules.digest is
  'A digest of the row as it was made: an altered rule that has priced nothing yet would otherwise be seen by '
  'nobody.';
-- A day begins at midnight in Lagos, which is one hour ahead of UTC all year.
-- "Up to N5,000" is read as N5,000.00 included: the guide's own wording varies between "below" and "up to".
insert into fee_rules (
  id, currency, kind, min_amount_minor, max_amount_minor, flat_minor, rate_basis_points, payer, exempt_purposes,
  rounding, effective_from, effective_to, source
) values
  ('ngn-transfer-fee-2020-small', 'NGN', 'TRANSFER_FEE', 0, 500000, 1000, 0, 'SENDER', '{}',
    'HALF_UP', '2020-01-01 00:00:00+01', null, 'CBN Guide to Charges, in force from 1 January 2020'),
  ('ngn-transfer-fee-2020-medium', 'NGN', 'TRANSFER_FEE', 500001, 5000000, 2500, 0, 'SENDER', '{}',
    'HALF_UP', '2020-01-01 00:00:00+01', null, 'CBN Guide to Charges, in force from 1 January 2020'),
  ('ngn-transfer-fee-2020-large', 'NGN', 'TRANSFER_FEE', 5000001, null, 5000, 0, 'SENDER', '{}',
    'HALF_UP', '2020-01-01 00:00:00+01', null, 'CBN Guide to Charges, in force from 1 January 2020'),
  ('ngn-vat-2020', 'NGN', 'VAT', 0, null, 0, 750, 'SENDER', '{}',
    'HALF_UP', '2020-02-01 00:00:00+01', null, 'Finance Act 2019: VAT 7.5 % from 1 February 2020'),
  ('ngn-stamp-duty-2021-receiver', 'NGN', 'STAMP_DUTY', 1000000, null, 5000, 0, 'RECEIVER', '{SALARY,OWN_ACCOUNT}',
    'HALF_UP', '2021-01-01 00:00:00+01', '2026-01-01 00:00:00+01',
    'Finance Act 2020: electronic money transfer levy, borne by the receiver'),
  ('ngn-stamp-duty-2026-sender', 'NGN', 'STAMP_DUTY', 1000000, null, 5000, 0, 'SENDER', '{SALARY,OWN_ACCOUNT}',
    'HALF_UP', '2026-01-01 00:00:00+01', null,
    'Nigeria Tax Act 2025: stamp duty on electronic transfers, borne by the sender from 1 January 2026');
update fee_rules
   set digest = encode(sha256(convert_to(json_build_array(
         id, currency, kind, min_amount_minor, max_amount_minor, flat_minor, rate_basis_points, payer, exempt_purposes,
         rounding, extract(epoch from effective_from), source)::text, 'UTF8')), 'hex');

create table payout_limits (
  id text not null,
  merchant_id uuid,
  mode text not null,
  per_payout_minor bigint,
  per_day_minor bigint,
  duplicate_window_seconds integer not null,
  effective_from timestamptz not null,
  effective_to timestamptz,
  source text not null,
  owner text not null default 'OPERATOR',
  constraint payout_limits_pk primary key (id),
  constraint payout_limits_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_limits_amounts check (per_payout_minor > 0 and per_day_minor > 0),
  constraint payout_limits_window check (duplicate_window_seconds between 0 and 2592000),
  constraint payout_limits_effective check (effective_to > effective_from),
  constraint payout_limits_owner check (owner in ('OPERATOR', 'MERCHANT'))
);
comment on table payout_limits is
  'How much a merchant may pay out, as dated rows. A row applies from effective_from up to, but not at, '
  'effective_to: a merchant''s own before the one for all merchants, and of several the one that began last. Null '
  'is no limit; a window of zero seconds is no guard. A day begins at midnight in Lagos.';
comment on column payout_limits.merchant_id is 'Null: all merchants.';
comment on column payout_limits.source is 'Who decided it, and why.';
comment on column payout_limits.owner is
  'A merchant may limit itself more tightly than the operator does. The stricter limit counts.';
-- To begin with, and the operator's to change: ten million naira is the central bank's limit for a company without an
-- indemnity, two hundred and fifty million the one with it. In the sandbox a day holds batches of any size.
insert into payout_limits (
  id, merchant_id, mode, per_payout_minor, per_day_minor, duplicate_window_seconds, effective_from, effective_to, source
) values
  ('live-2020', null, 'LIVE', 1000000000, 25000000000, 120, '2020-01-01 00:00:00+01', null,
    'A beginning: CBN circular of 2022 on transfers with and without an indemnity'),
  ('sandbox-2020', null, 'SANDBOX', 1000000000, 100000000000000, 120, '2020-01-01 00:00:00+01', null,
    'A beginning: as live, with a day that is large enough for batches of any size');

create table dedupe_keys (
  merchant_id uuid not null,
  mode text not null,
  subject_id uuid not null,
  scope text not null,
  value text not null,
  batch_id uuid,
  from_at timestamptz not null,
  until_at timestamptz not null,
  window_seconds integer not null,
  is_meant boolean not null,
  sequence bigint not null,
  constraint dedupe_keys_pk primary key (merchant_id, mode, subject_id, scope),
  constraint dedupe_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dedupe_keys_span check (from_at <= until_at)
);
comment on table dedupe_keys is
  'One amount to one account, for the time at which it is paid: whatever pays the same within the window is a '
  'duplicate. Many payouts may hold one key, so one that fails releases its own and no other''s.';
comment on column dedupe_keys.subject_id is 'The payout.';
comment on column dedupe_keys.scope is
  'PAID: for the time at which it is paid. WAITING: it may be paid as soon as people approve it. A day in Lagos: a '
  'schedule for that day, for the time at which it was asked for.';
comment on column dedupe_keys.value is 'Bank, account, amount and currency.';
comment on column dedupe_keys.window_seconds is 'How long the same counted as a duplicate when it was noted.';
comment on column dedupe_keys.is_meant is 'Accepted although the same was there: it was meant twice.';
comment on column dedupe_keys.sequence is
  'The event of the movement that noted it: the order in which keys were noted.';
create index dedupe_keys_by_sequence on dedupe_keys (merchant_id, mode, sequence);
-- The condition is true of every row and named by lookups only: no other statement is planned with it.
create index dedupe_keys_taken on dedupe_keys (merchant_id, mode, scope, value, until_at) where until_at > '-infinity';

create table outcome_proposals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  payout_id uuid not null,
  outcome text not null,
  source text not null,
  note text not null,
  facts_digest text not null,
  status text not null,
  reason text,
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  updated_at timestamptz not null,
  digest text,
  constraint outcome_proposals_pk primary key (merchant_id, mode, id),
  constraint outcome_proposals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint outcome_proposals_outcome check (outcome in ('SUCCEEDED', 'FAILED', 'REVERSED')),
  constraint outcome_proposals_source check (source in (
    'BANK_LETTER', 'RAIL_DASHBOARD', 'SETTLEMENT_FILE', 'RAIL_SUPPORT', 'OTHER'
  )),
  constraint outcome_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'STALE')),
  -- Who proposed may withdraw it, and nothing else.
  constraint outcome_proposals_two_people check (decided_by <> proposed_by or status = 'REJECTED')
);
comment on table outcome_proposals is
  'The outcome of a payout whose rail stays silent is decided by two people with a stated source. Every proposal is '
  'kept, also those that were rejected or overtaken.';
comment on column outcome_proposals.facts_digest is
  'Fingerprint of what was known about the payout: a proposal made on other facts is not confirmed.';
comment on column outcome_proposals.reason is 'Why it was rejected or overtaken.';
comment on column outcome_proposals.digest is
  'SHA-256 in hex over what was proposed: what the second person confirms is what the first one brought.';
create unique index outcome_proposals_one_open on outcome_proposals (merchant_id, mode, payout_id)
  where status = 'PENDING';
create index outcome_proposals_of_payout on outcome_proposals (merchant_id, mode, payout_id, id);
