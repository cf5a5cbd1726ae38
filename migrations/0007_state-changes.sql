-- Every change of state leaves a row: who asks later what became of a payout reads it here.
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
