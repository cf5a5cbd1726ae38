-- People of a merchant differ in what they may do, and may leave: a role, a name, and the day that someone was removed.
-- Whoever is there already made the business, so they own it. A release before this one writes no role: such a person
-- may do nothing until an owner says what.
alter table people
  add column role text,
  add column first_name text not null default '',
  add column last_name text not null default '',
  add column disabled_at timestamptz,
  add column last_seen_at timestamptz;
update people set role = 'OWNER' where kind = 'MEMBER';
alter table people
  add constraint people_role check (role in ('OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER')) not valid,
  add constraint people_operator_has_no_role check (kind = 'MEMBER' or role is null) not valid;
