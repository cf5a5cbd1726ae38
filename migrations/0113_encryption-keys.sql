-- A start under the key-encryption key of another installation would seal what comes under it, and open nothing of before.

create table encryption_keys (
  id text not null,
  first_used_at timestamptz not null,
  constraint encryption_keys_pk primary key (id)
);
comment on table encryption_keys is
  'The id of the key-encryption key that values of this database are sealed under: a start with another one is refused. '
  'The key itself is never here.';
