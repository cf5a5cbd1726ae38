-- One person must not become two: who may decide about what others make is chosen by two. What one of them asked for waits
-- here until another has agreed. What was asked for never changes; whoever means something else asks anew.
create table people_changes (
  id uuid not null,
  -- Null: the operator's staff.
  merchant_id uuid,
  kind text not null,
  -- The person, or who becomes one by the invitation.
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
  constraint people_changes_status check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'))
);
-- One of a kind waits for an address: asking again replaces it.
create unique index people_changes_one_waits on people_changes (merchant_id, email, kind) nulls not distinct
  where status = 'PENDING';
