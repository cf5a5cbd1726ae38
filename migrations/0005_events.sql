-- What happened, in the order it happened to one tenant, written with the change itself: the source of every telling.
create table events (
  merchant_id uuid not null,
  mode text not null,
  sequence bigint not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  -- JSON, as text: it is told byte for byte, and nothing here has to look into it.
  data text not null,
  created_at timestamptz not null,
  constraint events_pk primary key (merchant_id, mode, sequence),
  constraint events_mode check (mode in ('SANDBOX', 'LIVE'))
);
