-- Maker-checker: what waits for a second person, by which rules, and the beneficiaries that it protects.

create table approvals (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  title text not null,
  amount_minor bigint,
  charges_minor bigint,
  currency text not null,
  digest text not null,
  shown text not null,
  payload text not null,
  status text not null,
  reason text,
  needed integer not null,
  given integer not null,
  rules_version integer not null,
  made_by uuid,
  made_by_name text not null,
  made_via text not null,
  made_by_key uuid,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  updated_at timestamptz not null,
  made_ip text,
  constraint approvals_pk primary key (merchant_id, mode, id),
  constraint approvals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approvals_kind check (kind in ('PAYOUT', 'SCHEDULE', 'BATCH', 'LIMIT', 'BENEFICIARY', 'RULES')),
  constraint approvals_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID')),
  constraint approvals_made_via check (made_via in ('DASHBOARD', 'API')),
  constraint approvals_counted check (needed between 1 and 5 and given between 0 and needed)
);
comment on table approvals is
  'Maker-checker: what one person made waits here until others have approved exactly what is shown, by its digest.';
comment on column approvals.subject_id is 'The payout, the batch, the beneficiary, or the change itself.';
comment on column approvals.digest is 'SHA-256 over what is shown. An approver sends the one that they saw.';
comment on column approvals.shown is 'JSON text: an array of label and value.';
comment on column approvals.payload is 'JSON text: what the last approval puts into force.';
comment on column approvals.rules_version is 'The rules by which it is needed; later rules change nothing about it.';
comment on column approvals.made_by is 'Null: a key of the operator''s terminal, which nobody made.';
comment on column approvals.made_ip is 'Whoever decides sees where the request came from, as the audit log has it.';
create index approvals_of_subject on approvals (merchant_id, mode, subject_id);
create index approvals_by_status on approvals (merchant_id, mode, status, id);
create index approvals_open on approvals (merchant_id, mode, expires_at) where status = 'PENDING';
-- People see what they made, newest first, without reading what all others made.
create index approvals_by_maker on approvals (merchant_id, mode, made_by, id);
-- A program asks for what its key made.
create index approvals_by_key on approvals (merchant_id, mode, made_by_key, id);

create table approval_decisions (
  merchant_id uuid not null,
  mode text not null,
  approval_id uuid not null,
  person_id uuid not null,
  decision text not null,
  person_name text not null,
  person_role text not null,
  digest text not null,
  note text,
  decided_at timestamptz not null,
  constraint approval_decisions_pk primary key (merchant_id, mode, approval_id, person_id),
  constraint approval_decisions_approval foreign key (merchant_id, mode, approval_id)
    references approvals (merchant_id, mode, id),
  constraint approval_decisions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approval_decisions_decision check (decision in ('APPROVE', 'REJECT'))
);
comment on table approval_decisions is
  'Who decided what about an approval, one decision per person. Rows are only added.';
comment on column approval_decisions.digest is 'What the person was shown.';

create table approval_rules (
  merchant_id uuid not null,
  mode text not null,
  version integer not null,
  id uuid not null,
  is_enabled boolean not null,
  tiers text not null,
  approval_id uuid,
  made_by uuid,
  made_at timestamptz not null,
  operator text,
  reason text,
  constraint approval_rules_pk primary key (merchant_id, mode, version),
  constraint approval_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approval_rules_version check (version > 0),
  constraint approval_rules_operator check (
    (operator is null) = (reason is null)
    and (operator is null or (not is_enabled and made_by is null and approval_id is null))
  )
);
comment on table approval_rules is
  'How many people a payout needs. Each version stays, so that what was needed at any time can be proved later. A '
  'mode of a merchant without a row follows the merchant''s flag alone, with one approval.';
comment on column approval_rules.tiers is 'JSON text: from which amount, in kobo, how many approvals.';
comment on column approval_rules.approval_id is 'The approval that put it into force; null where none was needed.';
comment on column approval_rules.operator is
  'Where approvers have left until nobody can change the rules, the operator switches approvals off from the '
  'terminal: who, and why.';

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
  rules_version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint beneficiaries_pk primary key (merchant_id, mode, id),
  constraint beneficiaries_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint beneficiaries_status check (status in ('PENDING_APPROVAL', 'ACTIVE', 'REMOVED'))
);
comment on table beneficiaries is
  'Accounts that a merchant pays again and again, with the name that the bank gave when they were added.';
comment on column beneficiaries.rules_version is 'The rules by which it needed an approval or none.';
create unique index beneficiaries_once on beneficiaries (merchant_id, mode, bank_code, account_number)
  where status <> 'REMOVED';
