-- Balances live on the account's row, locked before every decision, so nothing ever sums history to know a balance.
create table accounts (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  kind text not null,
  owner_id uuid not null,
  currency text not null,
  debits_posted_minor bigint not null,
  credits_posted_minor bigint not null,
  debits_pending_minor bigint not null,
  credits_pending_minor bigint not null,
  sequence bigint not null,
  created_at timestamptz not null,
  constraint accounts_pk primary key (merchant_id, id),
  constraint accounts_owner_unique unique (merchant_id, mode, kind, owner_id),
  constraint accounts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint accounts_kind check (kind in (
    'MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET',
    'PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE'
  )),
  constraint accounts_currency check (currency in ('NGN')),
  constraint accounts_sums_not_negative check (
    debits_posted_minor >= 0 and credits_posted_minor >= 0
    and debits_pending_minor >= 0 and credits_pending_minor >= 0 and sequence >= 0
  ),
  constraint accounts_customer_not_overdrawn check (
    kind not in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET')
    or credits_posted_minor - debits_posted_minor - debits_pending_minor >= 0
  )
) with (fillfactor = 50);
