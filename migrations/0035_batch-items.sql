-- One row of a bulk payout, kept as it was given, right or wrong. Dispatched it becomes the payout with the same id.
create table batch_items (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  batch_id uuid not null,
  position integer not null,
  amount_minor bigint not null,
  bank_code text not null,
  account_number text not null,
  narration text not null,
  phone_number text,
  account_name text,
  bank_name text,
  is_valid boolean not null,
  -- Why it cannot be paid, in words for a clerk.
  reason text,
  -- Null: nobody has looked yet.
  validated_at timestamptz,
  created_at timestamptz not null,
  constraint batch_items_pk primary key (merchant_id, mode, id),
  constraint batch_items_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_items_valid check (
    not is_valid or (
      validated_at is not null and reason is null and account_name is not null and bank_name is not null
      and amount_minor > 0
    )
  )
);
create index batch_items_batch on batch_items (merchant_id, batch_id, position);
