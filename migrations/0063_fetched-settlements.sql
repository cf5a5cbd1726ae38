-- Settlements that providers list or report are fetched: which are known, which wait to be read, and up to when lists were read.

create table provider_settlement_polls (
  rail text not null,
  mode text not null,
  polled_to timestamptz not null,
  leased_until timestamptz,
  last_poll_at timestamptz,
  constraint provider_settlement_polls_pk primary key (rail),
  constraint provider_settlement_polls_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table provider_settlement_polls is
  'Up to when a provider''s list of settlements was read whole. Each window begins days before the last one ended.';

create table provider_settlement_fetches (
  rail text not null,
  reference text not null,
  mode text not null,
  source text not null,
  lump_minor bigint not null,
  currency text not null,
  settled_on date not null,
  status text not null,
  attempts integer not null,
  due_at timestamptz,
  reason text,
  settlement_id uuid,
  noted_by text not null,
  first_seen_at timestamptz not null,
  updated_at timestamptz not null,
  constraint provider_settlement_fetches_pk primary key (rail, reference),
  constraint provider_settlement_fetches_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint provider_settlement_fetches_source check (source in ('LIST', 'WEBHOOK', 'PERSON')),
  constraint provider_settlement_fetches_status check (status in ('WAITING', 'RECORDED', 'KNOWN')),
  constraint provider_settlement_fetches_lump check (lump_minor >= 0),
  constraint provider_settlement_fetches_due check ((due_at is null) = (status <> 'WAITING'))
);
comment on table provider_settlement_fetches is
  'A settlement that a provider listed, or reported by webhook, once for ever. WAITING: its lines are read when due. RECORDED: as a settlement of ours. KNOWN: somebody had imported it before.';
comment on column provider_settlement_fetches.lump_minor is 'What the provider says that it pays out.';
comment on column provider_settlement_fetches.reason is 'Why the last attempt to read it failed.';
comment on column provider_settlement_fetches.noted_by is 'system, or the address of who asked for it.';
create index provider_settlement_fetches_due_at on provider_settlement_fetches (mode, due_at) where status = 'WAITING';
create index provider_settlement_fetches_newest on provider_settlement_fetches (first_seen_at, rail, reference);
