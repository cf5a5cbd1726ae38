-- Which peppers keyed hashes of this database were made under, by their ids: a start without one that is still needed is
-- refused, before every right PIN looks wrong. The peppers themselves are never here.
create table peppers (
  id text not null,
  first_used_at timestamptz not null,
  constraint peppers_pk primary key (id)
);
-- Null: under the first pepper of this database.
alter table api_keys add column pepper_id text;
alter table audit_seals add column pepper_id text;
-- As in `pins`: under each of these, one over the other.
alter table people add column recovery_pepper_ids text[];
