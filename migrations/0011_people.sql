-- Who may sign in: the operator's staff and the merchants'. One e-mail address is one person in the whole house, so this
-- is a small directory beside the tenants' tables and has no foreign key into them.
create table people (
  id uuid not null,
  kind text not null,
  merchant_id uuid,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null,
  constraint people_pk primary key (id),
  constraint people_email_unique unique (email),
  constraint people_email_lower_case check (email = lower(email)),
  constraint people_kind check (kind in ('OPERATOR', 'MEMBER')),
  constraint people_member_has_merchant check ((kind = 'MEMBER') = (merchant_id is not null))
);
create index people_of_merchant on people (merchant_id) where merchant_id is not null;
