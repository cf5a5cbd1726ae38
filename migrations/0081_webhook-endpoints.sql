-- Where each tenant's events are told. Events are not copied per address when they happen: an endpoint remembers how far
-- it has come, so a transfer pays nothing for being told, and nothing that happened can be left out.
create table webhook_endpoints (
  merchant_id uuid not null,
  mode text not null,
  -- A new one with every address: what was learnt of one address is not held against the next.
  id uuid not null,
  -- Empty: nowhere.
  url text not null,
  status text not null,
  reason text,
  -- Every event up to here was sent once, or is older than the address.
  cursor_sequence bigint not null,
  -- When the next delivery is due again; null: none is.
  retry_at timestamptz,
  failures_in_a_row integer not null,
  paused_until timestamptz,
  lease_id uuid,
  lease_until timestamptz,
  tested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_endpoints_pk primary key (merchant_id, mode),
  constraint webhook_endpoints_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint webhook_endpoints_status check (status in ('ENABLED', 'DISABLED')),
  constraint webhook_endpoints_cursor check (cursor_sequence >= 0),
  constraint webhook_endpoints_failures check (failures_in_a_row >= 0)
) with (fillfactor = 50);
create index webhook_endpoints_told on webhook_endpoints (merchant_id, mode) where url <> '' and status = 'ENABLED';

-- Addresses that were given before anything was sent to them begin with the present.
insert into webhook_endpoints
  (merchant_id, mode, id, url, status, cursor_sequence, failures_in_a_row, created_at, updated_at)
select m.id, b.mode, m.id, given.url, 'ENABLED', b.event_sequence, 0, m.created_at, m.created_at
  from merchants m
 cross join lateral (values ('SANDBOX', m.sandbox_webhook_url), ('LIVE', m.production_webhook_url)) given (mode, url)
  join books b on b.merchant_id = m.id and b.mode = given.mode
 where given.url <> '';
