-- The simulated bank settles what was paid at it, as a provider does, less what went back: a sandbox sees every difference.

create table sandbox_settlements (
  merchant_id uuid not null,
  mode text not null,
  id text not null,
  scenario text not null,
  lump_minor bigint not null,
  lines text not null,
  made_at timestamptz not null,
  next_webhook_at timestamptz,
  constraint sandbox_settlements_pk primary key (merchant_id, mode, id),
  constraint sandbox_settlements_mode check (mode = 'SANDBOX'),
  constraint sandbox_settlements_lump check (lump_minor >= 0)
);
comment on table sandbox_settlements is 'The simulated bank''s own book of what it settled of each merchant.';
comment on column sandbox_settlements.lump_minor is 'What its lines come to.';
comment on column sandbox_settlements.lines is 'JSON text: what of each payment it settled, and what it took.';
create index sandbox_settlements_by_time on sandbox_settlements (made_at, id);
create index sandbox_settlements_webhooks on sandbox_settlements (merchant_id, mode, next_webhook_at)
  where next_webhook_at is not null;
