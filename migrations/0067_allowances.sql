-- What a tenant has used of something that is limited a period, such as the payouts of one day, added up as it is used.
create table allowances (
  merchant_id uuid not null,
  mode text not null,
  scope text not null,
  period text not null,
  used_minor bigint not null,
  constraint allowances_pk primary key (merchant_id, mode, scope, period),
  constraint allowances_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint allowances_used check (used_minor >= 0)
);
