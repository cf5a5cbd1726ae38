-- A receipt is shared by a link, and what was paid to one account is found without reading what was paid to others.

create table receipt_links (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  transaction_id uuid not null,
  token_hash text not null,
  created_by uuid not null,
  created_by_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by_name text,
  constraint receipt_links_pk primary key (merchant_id, mode, id),
  constraint receipt_links_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint receipt_links_expires check (expires_at > created_at),
  constraint receipt_links_revoked check (num_nonnulls(revoked_at, revoked_by_name) in (0, 2))
);
comment on table receipt_links is
  'An address under which whoever has it sees the receipt of one payout, until it expires or is revoked.';
comment on column receipt_links.token_hash is
  'SHA-256, base64url, of the 256 random bits in the address. They are kept nowhere.';
create index receipt_links_of_transaction on receipt_links (merchant_id, mode, transaction_id, id);

create table receipt_link_tokens (
  token_hash text not null,
  merchant_id uuid not null,
  mode text not null,
  link_id uuid not null,
  constraint receipt_link_tokens_pk primary key (token_hash),
  constraint receipt_link_tokens_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table receipt_link_tokens is
  'Directory: the address of a shared receipt leads to its link, before any merchant is known. A link that is revoked has none.';

-- The last condition is true of every payout, and only what asks for one account names it: nothing else is planned with it.
create index transactions_by_account
  on transactions (merchant_id, mode, beneficiary_account_number, created_at, id)
  where category = 'PAYOUT' and beneficiary_account_number > '';
