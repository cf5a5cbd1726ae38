-- The operator's accounts at banks and providers: real money needs at least one, and which there are is no deployment.
--
-- A row is never removed: payouts name their rail for ever, and open ones have to be asked about. sealed_credentials is
-- bound to name, provider, mode and base_url, so that neither may be changed under it: a key would go to another place.
create table rail_accounts (
  name text not null,
  provider text not null,
  mode text not null,
  -- Null: the provider's own address.
  base_url text,
  sealed_credentials text not null,
  open_to_merchants boolean not null,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint rail_accounts_pk primary key (name),
  -- "sandbox" is the built-in rail.
  constraint rail_accounts_name check (name ~ '^[a-z][a-z0-9-]{1,39}$' and name <> 'sandbox'),
  constraint rail_accounts_provider check (provider ~ '^[a-z]{2,40}$'),
  constraint rail_accounts_mode check (mode in ('SANDBOX', 'LIVE'))
);
