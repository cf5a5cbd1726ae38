-- Somebody who signs in from a browser that was never seen with them before may be somebody else: owners are told of it.
-- A browser keeps a secret of its own for that, here as a hash, apart for each person who uses it.
create table devices (
  person_id uuid not null,
  device_hash text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  constraint devices_pk primary key (person_id, device_hash)
);
create index devices_by_time on devices (last_seen_at);
