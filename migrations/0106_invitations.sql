-- Whom a business or the operator has asked to join. It becomes a person when it is accepted, so that an address that
-- belongs to somebody else already says nothing about itself.
create table invitations (
  -- The id of the person that it becomes.
  id uuid not null,
  -- Null: the operator's staff.
  merchant_id uuid,
  role text,
  email text not null,
  invited_by uuid not null,
  created_at timestamptz not null,
  constraint invitations_pk primary key (id),
  constraint invitations_once unique nulls not distinct (merchant_id, email),
  constraint invitations_role check (role in ('OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER')),
  constraint invitations_member_has_role check ((merchant_id is null) = (role is null))
);
