-- A name that may be taken once for ever, such as a merchant's own reference; it leads to what took it.
create table claims (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  value text not null,
  subject_id uuid not null,
  created_at timestamptz not null,
  constraint claims_pk primary key (merchant_id, mode, scope, value),
  constraint claims_mode check (mode in ('SANDBOX', 'LIVE'))
);
