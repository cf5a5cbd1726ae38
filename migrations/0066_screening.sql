-- Names and accounts that the operator screens payers, payees and merchants against: lists that it imports, version by version.

create table screening_lists (
  id uuid not null,
  name text not null,
  mode text not null,
  source text not null,
  listed_on date not null,
  entry_count integer not null,
  file_hash text not null,
  imported_by text not null,
  imported_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  constraint screening_lists_pk primary key (id),
  constraint screening_lists_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint screening_lists_count check (entry_count >= 0),
  constraint screening_lists_ended check ((ended_at is null) = (ended_by is null))
);
comment on table screening_lists is
  'One version of a list. A new version of the same name and mode ends the one before it, which stays to explain what it held.';
comment on column screening_lists.source is 'Who publishes it, and where it was taken from.';
comment on column screening_lists.listed_on is 'The day that the list itself gives.';
comment on column screening_lists.file_hash is 'SHA-256 of the file, hex.';
create unique index screening_lists_in_force on screening_lists (name, mode) where ended_at is null;

create table screening_entries (
  list_id uuid not null,
  entry_number integer not null,
  name text not null,
  aliases text not null,
  account_number text,
  bank_code text,
  constraint screening_entries_pk primary key (list_id, entry_number)
);
comment on table screening_entries is 'What a version of a list names: a person or a business, other names of it, an account.';
comment on column screening_entries.entry_number is 'Its row in the file, from 1.';
comment on column screening_entries.aliases is 'JSON text: a list of other names.';
