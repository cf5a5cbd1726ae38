-- What was done and asked: the audit log that nobody can edit, and the log of recent API requests.

create table audit_entries (
  merchant_id uuid not null,
  id uuid not null,
  mode text,
  at timestamptz not null,
  action text not null,
  summary text not null,
  outcome text not null,
  code text,
  subject text not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  actor_role text,
  session_id text,
  ip text,
  user_agent text,
  request_id text,
  category text,
  constraint audit_entries_pk primary key (merchant_id, id),
  constraint audit_entries_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint audit_entries_outcome check (outcome in ('ASKED', 'DONE', 'REFUSED')),
  constraint audit_entries_actor_kind check (actor_kind in ('PERSON', 'OPERATOR', 'KEY', 'SYSTEM')),
  constraint audit_entries_category check (category in ('KEYS', 'PEOPLE', 'SIGN_IN', 'PERSONAL_DATA', 'SETTINGS'))
);
comment on table audit_entries is
  'Who did what, from where. Nobody can edit it: the database itself refuses every change but adding.';
comment on column audit_entries.merchant_id is
  'The nil UUID where the action was no merchant''s: the operator''s own, or somebody''s who was not let in.';
comment on column audit_entries.subject is 'JSON, as text: it is sealed byte for byte.';
comment on column audit_entries.category is
  'The kind of action, so that actions on keys, people and personal data are found among all others. The seal '
  'covers it.';
-- The operator reads the log of all merchants, newest first. Only lists that name the condition, true of every row,
-- are planned with it.
create index audit_entries_of_all on audit_entries (id) where at > '-infinity';
-- A list with each action once looks up how a request ended, without reading the log.
create index audit_entries_ended on audit_entries (merchant_id, request_id) where outcome <> 'ASKED';
-- What one person did, in a log that is mostly of programs.
create index audit_entries_by_actor on audit_entries (merchant_id, actor_id, id);
-- Entries of one kind, without reading past all others, in the log of one merchant.
create index audit_entries_by_category on audit_entries (merchant_id, category, id) where category is not null;
-- The same in the logs of all merchants, for lists that name the second condition.
create index audit_entries_of_all_by_category on audit_entries (category, id)
  where category is not null and at > '-infinity';

create table audit_unsealed (
  merchant_id uuid not null,
  entry_id uuid not null,
  constraint audit_unsealed_pk primary key (merchant_id, entry_id)
);
comment on table audit_unsealed is
  'Entries without a seal, a few seconds of them, so that sealing never reads the whole log.';

create table audit_seals (
  merchant_id uuid not null,
  sequence bigint not null,
  entry_id uuid not null,
  seal text not null,
  sealed_at timestamptz not null,
  pepper_id text,
  constraint audit_seals_pk primary key (merchant_id, sequence),
  constraint audit_seals_once unique (merchant_id, entry_id),
  constraint audit_seals_sequence check (sequence > 0)
);
comment on table audit_seals is
  'One chain per merchant: each seal is keyed and covers its entry and the seal before it.';
comment on column audit_seals.pepper_id is 'Null: under the first pepper of this database.';
create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is only added to: % of % is refused.', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change_of_audit();
create trigger audit_seals_append_only before update or delete or truncate on audit_seals
  for each statement execute function refuse_change_of_audit();

create table request_log (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  request_id text not null,
  at timestamptz not null,
  method text not null,
  route text not null,
  url text not null,
  status integer not null,
  code text,
  duration_ms integer not null,
  key_id uuid not null,
  ip text not null,
  constraint request_log_pk primary key (merchant_id, mode, id),
  constraint request_log_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table request_log is
  'Requests of a merchant''s programs and their answers, without bodies, for a week, so that whoever integrates '
  'sees their own mistakes. It may have gaps, which are counted.';
-- Refused requests are looked for among all that went well in a week.
create index request_log_refused on request_log (merchant_id, mode, id) where status >= 400;
-- The requests of one key, which may be the one that asks least.
create index request_log_by_key on request_log (merchant_id, mode, key_id, id);

create table request_log_gaps (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  at timestamptz not null,
  left_out integer not null,
  constraint request_log_gaps_pk primary key (merchant_id, mode, id),
  constraint request_log_gaps_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table request_log_gaps is
  'How many requests of a second are not in the log, where there were too many to keep.';
