-- Who decided what about an approval, one decision a person: rows are added and never changed.
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
  constraint approval_decisions_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint approval_decisions_decision check (decision in ('APPROVE', 'REJECT')),
  constraint approval_decisions_approval foreign key (merchant_id, mode, approval_id)
    references approvals (merchant_id, mode, id)
);
