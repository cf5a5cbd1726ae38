-- Keys as keyed hashes: the text of a key is never here. The directory leads from a hash to its merchant and is written
-- before the key itself, so that finding a key never has to ask every merchant's rows.
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
  constraint api_keys_pk primary key (merchant_id, id),
  constraint api_keys_hash_unique unique (merchant_id, key_hash),
  constraint api_keys_merchant foreign key (merchant_id) references merchants (id),
  constraint api_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint api_keys_kind check (kind in ('SECRET', 'PUBLIC'))
);

create table api_key_directory (
  key_hash text not null,
  merchant_id uuid not null,
  key_id uuid not null,
  constraint api_key_directory_pk primary key (key_hash)
);
