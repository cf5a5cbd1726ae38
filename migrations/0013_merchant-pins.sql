-- One PIN a merchant, for both modes. Tries count on the row, under its lock, so that they hold across processes.
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
