-- A PIN for each mode: who guesses in the sandbox learns nothing of live money and locks none of it. What was one PIN
-- becomes both modes', still under its slow hash until it is next given; from here on each has attempts of its own.
create table pins (
  merchant_id uuid not null,
  mode text not null,
  -- The last of the hashes over each other: under the peppers of `pepper_ids` in their order, the slow one behind the first.
  hash text not null,
  -- Null: under the first pepper of this database.
  pepper_ids text[],
  -- How the slow hash was made, salt included; null where there is none.
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
insert into pins
select p.merchant_id, modes.mode, substring(p.pin_hash from '[^$]*$'), null, substring(p.pin_hash from '^(.*)\$'), p.version,
       p.failed_tries, p.last_failed_at, p.locked_until, p.set_at
  from merchant_pins p cross join (values ('SANDBOX'), ('LIVE')) as modes (mode);
