-- Events of transfers between wallets are more than half of all bytes: what is old leaves for files, and these say which files.

create table event_archives (
  merchant_id uuid not null,
  mode text not null,
  number integer not null,
  id uuid not null,
  first_sequence bigint not null,
  last_sequence bigint not null,
  events bigint not null,
  keys bigint not null,
  file_name text not null,
  file_bytes bigint not null,
  file_hash text not null,
  content_hash text not null,
  head text not null,
  archived_at timestamptz not null,
  removed_to bigint not null,
  constraint event_archives_pk primary key (merchant_id, mode, number),
  constraint event_archives_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint event_archives_range check (number > 0 and 0 < first_sequence and first_sequence <= last_sequence
    and events > 0 and keys between 0 and events and file_bytes > 0 and removed_to between first_sequence - 1 and last_sequence)
);
comment on table event_archives is
  'The files that a tenant''s old events and their idempotency keys were written to, numbered from 1. Each has only events '
  'behind those of the one before.';
comment on column event_archives.file_hash is 'SHA-256 of the file as it lies in the directory, in hex.';
comment on column event_archives.content_hash is 'SHA-256 of what is in it, in hex: of its lines before they were compressed.';
comment on column event_archives.head is
  'SHA-256 over this row, without how far it is removed, and the head of the one before: the chain of a tenant''s archives.';
comment on column event_archives.removed_to is
  'Events of the file up to here, and their keys, are gone from their tables. Rows are removed in pieces once the file was read back.';

create table archived_keys (
  merchant_id uuid not null,
  mode text not null,
  fingerprint uuid not null,
  transaction_id uuid not null,
  constraint archived_keys_pk primary key (merchant_id, mode, fingerprint),
  constraint archived_keys_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table archived_keys is
  'Idempotency keys that are in an archive, written as they leave their table: who repeats one is refused, and nothing is '
  'carried out a second time.';
comment on column archived_keys.fingerprint is 'The first half of the SHA-256 of the key.';
comment on column archived_keys.transaction_id is 'What the request made.';
