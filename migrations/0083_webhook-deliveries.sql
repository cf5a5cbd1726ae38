-- What became of telling an event, and every call that was made for it: the log that answers "you never told us".
create table webhook_deliveries (
  merchant_id uuid not null,
  mode text not null,
  -- The event's: the same in every call, so that a receiver knows a repetition.
  id uuid not null,
  sequence bigint not null,
  type text not null,
  status text not null,
  -- Calls of the schedule; replays that somebody asked for are not counted.
  attempts integer not null,
  next_attempt_at timestamptz,
  -- Somebody asked for it to be sent again, now.
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
-- Those that need somebody's eye are few among those that went well.
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
  -- Null: no answer came.
  status_code integer,
  -- The beginning of the answer's body.
  answer text,
  -- Why it does not count as told, in words; null when it does.
  error text,
  constraint webhook_attempts_pk primary key (merchant_id, mode, delivery_id, id),
  constraint webhook_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint webhook_attempts_kind check (kind in ('SCHEDULED', 'REPLAY'))
);
