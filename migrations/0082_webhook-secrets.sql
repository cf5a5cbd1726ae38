-- What a receiver knows us by, sealed; several while a tenant changes from one to the next.
create table webhook_secrets (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  sealed text not null,
  created_at timestamptz not null,
  -- Null: the present one. The ones before it sign along until then.
  expires_at timestamptz,
  constraint webhook_secrets_pk primary key (merchant_id, mode, id),
  constraint webhook_secrets_mode check (mode in ('SANDBOX', 'LIVE'))
);
create unique index webhook_secrets_one_present on webhook_secrets (merchant_id, mode) where expires_at is null;
