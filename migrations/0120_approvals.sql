-- Maker-checker: what one person made waits here until others approved exactly what is shown, by its digest.
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
  -- JSON text: an array of label and value.
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
  constraint approvals_pk primary key (merchant_id, mode, id),
  constraint approvals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approvals_kind check (kind in ('PAYOUT', 'SCHEDULE', 'BATCH', 'LIMIT', 'BENEFICIARY', 'RULES')),
  constraint approvals_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID')),
  constraint approvals_made_via check (made_via in ('DASHBOARD', 'API')),
  constraint approvals_counted check (needed between 1 and 5 and given between 0 and needed)
);
create index approvals_of_subject on approvals (merchant_id, mode, subject_id);
create index approvals_by_status on approvals (merchant_id, mode, status, id);
create index approvals_open on approvals (merchant_id, mode, expires_at) where status = 'PENDING';
