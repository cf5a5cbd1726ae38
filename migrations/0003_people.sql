-- Who signs in, with what, and who may become a person: sessions, invitations, confirmed changes, mails.

create table people (
  id uuid not null,
  kind text not null,
  merchant_id uuid,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null,
  role text,
  first_name text not null default '',
  last_name text not null default '',
  disabled_at timestamptz,
  last_seen_at timestamptz,
  totp_waiting_sealed text,
  totp_sealed text,
  totp_last_step bigint not null default 0,
  recovery_hashes text[] not null default '{}',
  recovery_pepper_ids text[],
  role_given_by uuid,
  role_given_at timestamptz,
  constraint people_pk primary key (id),
  constraint people_email_unique unique (email),
  constraint people_email_lower_case check (email = lower(email)),
  constraint people_kind check (kind in ('OPERATOR', 'MEMBER')),
  constraint people_member_has_merchant check ((kind = 'MEMBER') = (merchant_id is not null)),
  constraint people_role check (role in ('OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER')),
  constraint people_operator_has_no_role check (kind = 'MEMBER' or role is null)
);
comment on table people is
  'Who may sign in: the operator''s staff and the members of merchants. One e-mail address is one person in the '
  'whole installation, so this is a directory without a foreign key into the tenants'' tables.';
comment on column people.role is 'Null: the operator''s staff.';
comment on column people.disabled_at is 'When somebody removed the person.';
comment on column people.totp_waiting_sealed is
  'Sealed, bound to the person. A new secret waits here until it is confirmed with a code.';
comment on column people.totp_last_step is 'The last half minute whose code was accepted: each counts once.';
comment on column people.recovery_hashes is 'Keyed hashes of the recovery codes that are left; a used one is deleted.';
comment on column people.recovery_pepper_ids is
  'As in pins: the hashes are made under each of these, one over the other. Null: under the first pepper of this '
  'database.';
comment on column people.role_given_by is
  'Who invited the person, or gave them more than they had. For a day neither of the two decides about what the '
  'other made.';
create index people_of_merchant on people (merchant_id) where merchant_id is not null;
-- Every decision asks whom its person brought in within the last day.
create index people_by_role_given on people (role_given_by, role_given_at) where role_given_by is not null;

create table sessions (
  id uuid not null,
  person_id uuid not null,
  stage text not null,
  secret_hash text not null,
  previous_hash text,
  previous_until timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  fresh_until timestamptz,
  ip text not null,
  user_agent text not null,
  constraint sessions_pk primary key (id),
  constraint sessions_secret_unique unique (secret_hash),
  constraint sessions_stage check (stage in ('HALF', 'WHOLE'))
);
comment on table sessions is
  'Who is signed in, on what. The browser holds the secret; its hash leads to the person before any merchant is '
  'known. A session that ends is deleted: what was done in it is in the audit log.';
comment on column sessions.stage is 'HALF: the second factor is still to come.';
comment on column sessions.previous_hash is
  'The secret before the last change of it, for requests that were under way.';
comment on column sessions.last_seen_at is 'Accurate to a minute.';
create index sessions_by_previous on sessions (previous_hash) where previous_hash is not null;
create index sessions_of_person on sessions (person_id);
create index sessions_by_end on sessions (expires_at);

create table devices (
  person_id uuid not null,
  device_hash text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint devices_pk primary key (person_id, device_hash)
);
comment on table devices is
  'Browsers that a person has signed in from, each known by the hash of a secret per person. Owners are notified of '
  'a new one.';
create index devices_by_time on devices (last_seen_at);

create table sign_in_tries (
  email_hash text not null,
  tries integer not null,
  last_tried_at timestamptz not null,
  locked_until timestamptz,
  constraint sign_in_tries_pk primary key (email_hash),
  constraint sign_in_tries_count check (tries >= 0)
);
comment on table sign_in_tries is
  'Wrong passwords per address, counted across processes, and also for unknown addresses, so that a guess reveals '
  'nothing.';
comment on column sign_in_tries.email_hash is 'SHA-256 of the address in lower case: what people mistype is not kept.';
create index sign_in_tries_by_time on sign_in_tries (last_tried_at);

create table links (
  token_hash text not null,
  purpose text not null,
  subject_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint links_pk primary key (token_hash),
  constraint links_purpose check (purpose in ('CONFIRM', 'RESET', 'INVITATION'))
);
comment on table links is
  'The link in a mail proves that somebody reads the address. Its secret is kept as a hash, serves one purpose and '
  'counts once.';
comment on column links.subject_id is 'A sign-up, an invitation or a person.';
create index links_of_subject on links (subject_id);
create index links_by_end on links (expires_at);

create table sign_ups (
  id uuid not null,
  email text not null,
  password_hash text,
  business_name text,
  first_name text,
  last_name text,
  phone_number text,
  created_at timestamptz not null,
  constraint sign_ups_pk primary key (id)
);
comment on table sign_ups is
  'Who signs up gives an address only. Password and business follow after it is confirmed, so that nobody takes an '
  'address that is not theirs.';
comment on column sign_ups.password_hash is 'Not written any more, as the next four.';
create index sign_ups_by_time on sign_ups (created_at);
-- Whoever confirms an address ends every other sign-up with it.
create index sign_ups_by_email on sign_ups (email);

create table invitations (
  id uuid not null,
  merchant_id uuid,
  role text,
  email text not null,
  invited_by uuid not null,
  created_at timestamptz not null,
  is_approved boolean,
  constraint invitations_pk primary key (id),
  constraint invitations_once unique nulls not distinct (merchant_id, email),
  constraint invitations_role check (role in ('OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER')),
  constraint invitations_member_has_role check ((merchant_id is null) = (role is null))
);
comment on table invitations is
  'Whom a merchant or the operator has invited. It becomes a person when it is accepted, so that an address that '
  'belongs to somebody else already reveals nothing.';
comment on column invitations.id is 'The id of the person that it becomes.';
comment on column invitations.merchant_id is 'Null: the operator''s staff.';
comment on column invitations.is_approved is 'Whether two people are behind it.';

create table people_changes (
  id uuid not null,
  merchant_id uuid,
  kind text not null,
  subject_id uuid not null,
  email text not null,
  role text,
  role_before text,
  keep_keys boolean not null,
  reason text,
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
comment on table people_changes is
  'Changes of people that a second person has to approve. The request never changes: a different one is a new row.';
comment on column people_changes.merchant_id is 'Null: the operator''s staff.';
comment on column people_changes.subject_id is 'The person, or the id that an invited person will have.';
comment on column people_changes.made_by is 'Null: the operator''s terminal.';
-- One of a kind waits per address: a new request replaces it.
create unique index people_changes_one_waits on people_changes (merchant_id, email, kind) nulls not distinct
  where status = 'PENDING';

create table mails (
  id uuid not null,
  recipient text not null,
  subject text not null,
  body_sealed text,
  created_at timestamptz not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text,
  group_key text,
  constraint mails_pk primary key (id)
);
comment on table mails is
  'The outbox: written in the transaction that caused the mail, until a worker hands it to the mail server. Without '
  'one they can be read in the local outbox.';
comment on column mails.body_sealed is 'It may hold a link that signs somebody in: sealed, and deleted after a week.';
comment on column mails.due_at is
  'When it is sent next. Who sends it moves it on first, so that two never send the same one.';
comment on column mails.group_key is 'Mails of one group to one address go out together.';
create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;
create index mails_with_body on mails (created_at) where body_sealed is not null;
-- Before a mail of a group is sent, its group to the same address is looked up.
create index mails_by_group on mails (recipient, group_key, id) where group_key is not null;
