-- What a program or a person proves itself with: API keys and PINs, as keyed hashes.

create table api_keys (
  merchant_id uuid not null,
  id uuid not null,
  mode text not null,
  kind text not null,
  key_hash text not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  allowed_ips text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  name text not null default '',
  created_by uuid,
  created_by_name text,
  for_reference boolean not null default false,
  pepper_id text,
  constraint api_keys_pk primary key (merchant_id, id),
  constraint api_keys_hash_unique unique (merchant_id, key_hash),
  constraint api_keys_merchant foreign key (merchant_id) references merchants (id),
  constraint api_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint api_keys_kind check (kind in ('SECRET', 'PUBLIC'))
);
comment on table api_keys is 'API keys, as keyed hashes: the text of a key is never here.';
comment on column api_keys.created_by is 'Who made the key: what it asks for is never approved by its maker.';
comment on column api_keys.created_by_name is 'As it was then, also when the person has left.';
comment on column api_keys.for_reference is 'Made for trying the API reference.';
comment on column api_keys.pepper_id is 'Null: under the first pepper of this database.';

create table api_key_directory (
  key_hash text not null,
  merchant_id uuid not null,
  key_id uuid not null,
  constraint api_key_directory_pk primary key (key_hash)
);
comment on table api_key_directory is
  'Directory: the hash of a key leads to its merchant. Written before the key, so that finding a key never asks '
  'every merchant''s rows.';

create table merchant_pins (
  merchant_id uuid not null,
  pin_hash text not null,
  version integer not null,
  failed_tries integer not null,
  last_failed_at timestamptz,
  locked_until timestamptz,
  set_at timestamptz not null,
  constraint merchant_pins_pk primary key (merchant_id),
  constraint merchant_pins_merchant foreign key (merchant_id) references merchants (id),
  constraint merchant_pins_version check (version >= 1),
  constraint merchant_pins_failed_tries check (failed_tries between 0 and 5)
);
comment on table merchant_pins is 'One PIN per merchant, as releases before pins per mode kept it. Nothing reads it.';

create table pins (
  merchant_id uuid not null,
  mode text not null,
  hash text not null,
  pepper_ids text[],
  slow text,
  version integer not null,
  failed_attempts integer not null,
  last_failed_at timestamptz,
  locked_until timestamptz,
  set_at timestamptz not null,
  constraint pins_pk primary key (merchant_id, mode),
  constraint pins_merchant foreign key (merchant_id) references merchants (id),
  constraint pins_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint pins_version check (version >= 1),
  constraint pins_failed_attempts check (failed_attempts between 0 and 5)
);
comment on table pins is
  'One PIN per merchant and mode: guessing in the sandbox reveals nothing of live money and locks none of it.';
comment on column pins.hash is
  'The last of the hashes over each other: under the peppers of `pepper_ids` in their order, the slow one behind '
  'the first.';
comment on column pins.pepper_ids is 'Null: under the first pepper of this database.';
comment on column pins.slow is 'Parameters and salt of the slow hash; null where there is none.';

create table peppers (
  id text not null,
  first_used_at timestamptz not null,
  constraint peppers_pk primary key (id)
);
comment on table peppers is
  'The ids of the peppers that keyed hashes of this database were made under: a start without one that is still '
  'needed is refused. The peppers themselves are never here.';
