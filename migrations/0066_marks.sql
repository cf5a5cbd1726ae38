-- A name that counts as taken only for a while, such as "this account, this amount": it leads to what noted it last.
create table marks (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  value text not null,
  subject_id uuid not null,
  noted_at timestamptz not null,
  constraint marks_pk primary key (merchant_id, mode, scope, value),
  constraint marks_mode check (mode in ('SANDBOX', 'LIVE'))
);
