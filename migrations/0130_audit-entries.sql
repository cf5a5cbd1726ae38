-- Who did what, from where, is kept in a log that nobody can edit: the database itself refuses every change but adding.
create table audit_entries (
  -- The nil UUID where the deed was no merchant's: the operator's own, or somebody's who did not get in.
  merchant_id uuid not null,
  id uuid not null,
  mode text,
  at timestamptz not null,
  action text not null,
  summary text not null,
  outcome text not null,
  code text,
  -- JSON, as text: it is sealed byte for byte.
  subject text not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  actor_role text,
  session_id text,
  ip text,
  user_agent text,
  request_id text,
  constraint audit_entries_pk primary key (merchant_id, id),
  constraint audit_entries_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint audit_entries_outcome check (outcome in ('ASKED', 'DONE', 'REFUSED')),
  constraint audit_entries_actor_kind check (actor_kind in ('PERSON', 'OPERATOR', 'KEY', 'SYSTEM'))
);
-- The operator reads the log of all merchants, newest first.
create index audit_entries_by_id on audit_entries (id);

-- What waits for its seal: as short as the last few seconds, so that sealing never reads the whole log.
create table audit_unsealed (
  merchant_id uuid not null,
  entry_id uuid not null,
  constraint audit_unsealed_pk primary key (merchant_id, entry_id)
);

-- One chain a merchant: each seal is keyed and covers its entry and the seal before it.
create table audit_seals (
  merchant_id uuid not null,
  sequence bigint not null,
  entry_id uuid not null,
  seal text not null,
  sealed_at timestamptz not null,
  constraint audit_seals_pk primary key (merchant_id, sequence),
  constraint audit_seals_once unique (merchant_id, entry_id),
  constraint audit_seals_sequence check (sequence > 0)
);

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
