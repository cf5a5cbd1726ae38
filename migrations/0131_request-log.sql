-- What a merchant's programs asked and were answered lately, so that whoever builds against the interface sees their own
-- mistakes. It holds no bodies, goes after a week, and may have gaps, which are counted.
create table request_log (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  request_id text not null,
  at timestamptz not null,
  method text not null,
  route text not null,
  url text not null,
  status integer not null,
  code text,
  duration_ms integer not null,
  key_id uuid not null,
  ip text not null,
  constraint request_log_pk primary key (merchant_id, mode, id),
  constraint request_log_mode check (mode in ('SANDBOX', 'LIVE'))
);
-- Requests of one second beyond those that are kept.
create table request_log_gaps (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  at timestamptz not null,
  left_out integer not null,
  constraint request_log_gaps_pk primary key (merchant_id, mode, id),
  constraint request_log_gaps_mode check (mode in ('SANDBOX', 'LIVE'))
);
