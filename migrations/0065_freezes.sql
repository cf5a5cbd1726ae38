-- An operator may have to freeze money by account, payer, reference or merchant: what is frozen, what was held for it or for another finding, and who decided.

create table freezes (
  id uuid not null,
  mode text not null,
  subject text not null,
  bank_code text,
  bank_name text,
  account_number text,
  payer_name text,
  reference text,
  merchant_id uuid,
  reason text not null,
  legal_basis text not null,
  owner text not null,
  starts_at timestamptz not null,
  in_force_at timestamptz not null,
  ends_at timestamptz,
  made_by uuid not null,
  made_at timestamptz not null,
  lifted_at timestamptz,
  lift_id uuid,
  digest text not null,
  constraint freezes_pk primary key (id),
  constraint freezes_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint freezes_subject check (case subject
    when 'ACCOUNT' then num_nonnulls(bank_code, bank_name, account_number) = 3
      and num_nonnulls(payer_name, reference, merchant_id) = 0
    when 'PAYER' then payer_name is not null and num_nonnulls(bank_code, bank_name, reference, merchant_id) = 0
    when 'REFERENCE' then reference is not null
      and num_nonnulls(bank_code, bank_name, account_number, payer_name, merchant_id) = 0
    when 'MERCHANT' then merchant_id is not null
      and num_nonnulls(bank_code, bank_name, account_number, payer_name, reference) = 0
    else false end),
  constraint freezes_times check (in_force_at >= starts_at and (ends_at is null or ends_at > starts_at)),
  constraint freezes_lifted check ((lifted_at is null) = (lift_id is null))
);
comment on table freezes is
  'What the operator has frozen: an account at a bank, a payer, a reference, or all wallets of a merchant. What comes from it or to it is held, and nothing leaves to it or from it.';
comment on column freezes.payer_name is 'Of a payer: the words of the name in any order; with an account number, both have to be the same.';
comment on column freezes.reference is 'Of one payment or payout: an id of ours, a provider''s, the network''s, or the merchant''s own.';
comment on column freezes.legal_basis is 'By which order or law.';
comment on column freezes.owner is 'Who is responsible for it at the operator.';
comment on column freezes.in_force_at is 'From when on every process knows it: nothing passes after that, which is proven.';
comment on column freezes.lift_id is 'The proposal by which two people lifted it.';
comment on column freezes.digest is 'A digest of what was frozen and why, by which the proof finds an altered row.';
create index freezes_not_lifted on freezes (mode) where lifted_at is null;

create table compliance_cases (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  subject_type text not null,
  subject_id uuid not null,
  reason text not null,
  cause text not null,
  freeze_id uuid,
  facts text not null,
  status text not null,
  opened_at timestamptz not null,
  decided_at timestamptz,
  updated_at timestamptz not null,
  digest text not null,
  constraint compliance_cases_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint compliance_cases_subject_type check (subject_type in ('PAYMENT', 'PAYOUT')),
  constraint compliance_cases_status check (status in ('OPEN', 'RELEASED', 'REFUSED', 'LAPSED')),
  constraint compliance_cases_freeze check ((reason = 'FROZEN') = (freeze_id is not null)),
  constraint compliance_cases_decided check ((status = 'OPEN') = (decided_at is null))
);
comment on table compliance_cases is
  'Why a payment in or a payout is held, and what became of it. RELEASED: it went on. REFUSED: the money went back, or did not leave. LAPSED: what held it is over.';
comment on column compliance_cases.cause is 'The id of the freeze, or what else held it: the same holds a payment or a payout once.';
comment on column compliance_cases.facts is 'JSON text: what was found, by which list or which rule.';
comment on column compliance_cases.digest is 'A digest of what was found, by which the proof finds an altered row.';
create index compliance_cases_by_freeze on compliance_cases (freeze_id) where freeze_id is not null;
create index compliance_cases_open on compliance_cases (merchant_id, mode, id) where status = 'OPEN';
create unique index compliance_cases_once on compliance_cases (merchant_id, mode, subject_id, cause);
-- Last, since of two indexes that would do PostgreSQL takes the newest.
alter table compliance_cases add constraint compliance_cases_pk primary key (merchant_id, mode, id);

create table compliance_proposals (
  id uuid not null,
  mode text not null,
  action text not null,
  freeze_id uuid,
  merchant_id uuid,
  case_id uuid,
  note text not null,
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
  constraint compliance_proposals_action check (case action
    when 'LIFT' then freeze_id is not null and num_nonnulls(merchant_id, case_id) = 0
    when 'RELEASE' then freeze_id is null and num_nonnulls(merchant_id, case_id) = 2
    else false end),
  constraint compliance_proposals_status check (status in ('PENDING', 'CONFIRMED', 'REJECTED', 'WITHDRAWN')),
  constraint compliance_proposals_decided check ((status = 'PENDING') = (decided_at is null))
);
comment on table compliance_proposals is
  'That a freeze is to be lifted, or a payout that is held is to go: one of the operator''s people proposes it, another confirms it.';
comment on column compliance_proposals.digest is 'A digest of what was proposed, which the second person confirms.';
create index compliance_proposals_by_freeze on compliance_proposals (freeze_id);
create unique index compliance_proposals_one_lift on compliance_proposals (freeze_id) where status = 'PENDING';
create unique index compliance_proposals_one_release on compliance_proposals (case_id) where status = 'PENDING';

alter table payouts drop constraint payouts_operator_reason;
alter table payouts add constraint payouts_operator_reason check (
  operator_reason in ('UNKNOWN_TOO_LONG', 'RAIL_CONTRADICTS', 'RAIL_ANSWER_MISMATCH', 'APPROVAL_SUBJECT_ALTERED', 'UNDER_REVIEW')
) not valid;
