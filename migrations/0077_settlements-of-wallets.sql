-- What stores and subaccounts collect goes to the merchant's bank as well, each wallet by settlements of its own, where an owner says so.

create table wallet_settlement_settings (
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  version integer not null,
  id uuid not null,
  is_settled boolean not null,
  keep_minor bigint not null,
  changed_by text not null,
  changed_at timestamptz not null,
  digest text not null,
  constraint wallet_settlement_settings_pk primary key (merchant_id, mode, wallet_id, version),
  constraint wallet_settlement_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint wallet_settlement_settings_keep check (keep_minor >= 0)
);
comment on table wallet_settlement_settings is
  'Whether what a store or subaccount collects goes to the merchant''s bank, each version as it was made; the last one counts. When it goes is the merchant''s schedule.';
comment on column wallet_settlement_settings.keep_minor is 'So much stays in the wallet.';
comment on column wallet_settlement_settings.digest is 'A digest of the row, by which the proof finds an altered one.';

create table wallet_settlement_states (
  merchant_id uuid not null,
  mode text not null,
  wallet_id uuid not null,
  is_settled boolean not null,
  first_sequence bigint not null,
  first_balance_minor bigint not null,
  result text,
  updated_at timestamptz not null,
  constraint wallet_settlement_states_pk primary key (merchant_id, mode, wallet_id),
  constraint wallet_settlement_states_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table wallet_settlement_states is
  'Where the settlements of a store or subaccount begin, and what came of its last turn.';
comment on column wallet_settlement_states.is_settled is 'As the last version of its settings says.';
comment on column wallet_settlement_states.first_sequence is
  'The first settlement begins behind this entry of the wallet: what is older is not settled.';
comment on column wallet_settlement_states.result is 'Why the last turn made no settlement.';
