-- How merchants are notified of events: endpoints, secrets, deliveries and every call that was made.

create table webhook_endpoints (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  url text not null,
  status text not null,
  reason text,
  cursor_sequence bigint not null,
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
comment on table webhook_endpoints is
  'Where a tenant''s events are delivered. Events are not copied per address: an endpoint remembers how far it has '
  'come, so a transfer pays nothing for its delivery and no event can be left out.';
comment on column webhook_endpoints.id is
  'A new one for every address: failures of one address do not count against the next.';
comment on column webhook_endpoints.url is 'Empty: there is none.';
comment on column webhook_endpoints.cursor_sequence is
  'Every event up to here was sent once, or is older than the address.';
comment on column webhook_endpoints.retry_at is 'When the next delivery is due again; null: none is.';
create index webhook_endpoints_told on webhook_endpoints (merchant_id, mode) where url <> '' and status = 'ENABLED';

create table webhook_secrets (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  constraint webhook_secrets_pk primary key (merchant_id, mode, id),
  constraint webhook_secrets_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table webhook_secrets is
  'What a receiver verifies signatures with, sealed. There are several while a tenant rotates them.';
comment on column webhook_secrets.expires_at is 'Null: the present one. Those before it sign along until then.';
create unique index webhook_secrets_one_present on webhook_secrets (merchant_id, mode) where expires_at is null;

create table webhook_deliveries (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  sequence bigint not null,
  type text not null,
  status text not null,
  attempts integer not null,
  next_attempt_at timestamptz,
  replay_at timestamptz,
  last_attempt_id uuid not null,
  delivered_at timestamptz,
  created_at timestamptz not null,
  constraint webhook_deliveries_pk primary key (merchant_id, mode, id),
  constraint webhook_deliveries_sequence unique (merchant_id, mode, sequence),
  constraint webhook_deliveries_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint webhook_deliveries_status check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  constraint webhook_deliveries_open check ((next_attempt_at is not null) = (status = 'PENDING')),
  constraint webhook_deliveries_told check ((delivered_at is not null) = (status = 'DELIVERED'))
);
comment on table webhook_deliveries is 'The delivery of one event: its state, and when it is due again.';
comment on column webhook_deliveries.id is
  'The event''s: the same in every call, so that a receiver recognises a repetition.';
comment on column webhook_deliveries.attempts is 'Scheduled calls; replays on request are not counted.';
comment on column webhook_deliveries.replay_at is 'Somebody requested a replay.';
-- Those that need attention are few among those that went well.
create index webhook_deliveries_by_status on webhook_deliveries (merchant_id, mode, status, sequence)
  where status <> 'DELIVERED';
create index webhook_deliveries_by_type on webhook_deliveries (merchant_id, mode, type, sequence);
create index webhook_deliveries_due on webhook_deliveries (merchant_id, mode, next_attempt_at)
  where next_attempt_at is not null;
create index webhook_deliveries_replays on webhook_deliveries (merchant_id, mode, replay_at)
  where replay_at is not null;

create table webhook_attempts (
  merchant_id uuid not null,
  mode text not null,
  delivery_id uuid not null,
  id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  answer text,
  error text,
  constraint webhook_attempts_pk primary key (merchant_id, mode, delivery_id, id),
  constraint webhook_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint webhook_attempts_kind check (kind in ('SCHEDULED', 'REPLAY'))
);
comment on table webhook_attempts is
  'Every call that was made for a delivery: the log that answers "you never notified us".';
comment on column webhook_attempts.status_code is 'Null: no answer came.';
comment on column webhook_attempts.answer is 'The beginning of the response body.';
comment on column webhook_attempts.error is 'Why it does not count as delivered, in words; null when it does.';
