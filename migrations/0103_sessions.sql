-- Who is signed in, on what. A browser holds the secret; the hash here leads to the person, before any merchant is
-- known. A session that ends is removed: what was done in it is in the audit log.
create table sessions (
  id uuid not null,
  person_id uuid not null,
  -- HALF: the second factor is still to come.
  stage text not null,
  secret_hash text not null,
  -- The secret before the last change of it, for requests that were under way.
  previous_hash text,
  previous_until timestamptz,
  created_at timestamptz not null,
  -- Exact to a minute.
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  fresh_until timestamptz,
  ip text not null,
  user_agent text not null,
  constraint sessions_pk primary key (id),
  constraint sessions_secret_unique unique (secret_hash),
  constraint sessions_stage check (stage in ('HALF', 'WHOLE'))
);
create index sessions_by_previous on sessions (previous_hash) where previous_hash is not null;
create index sessions_of_person on sessions (person_id);
create index sessions_by_end on sessions (expires_at);
