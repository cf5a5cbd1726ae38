-- One immutable row moves money between two accounts of one merchant: a transfer cannot be unbalanced.
create table transfers (
  merchant_id uuid not null,
  mode text not null,
  transaction_id uuid not null,
  id uuid not null,
  kind text not null,
  pending_id uuid,
  debit_account_id uuid not null,
  credit_account_id uuid not null,
  amount_minor bigint not null,
  currency text not null,
  code text not null,
  debit_sequence bigint not null,
  credit_sequence bigint not null,
  debit_balance_minor bigint not null,
  credit_balance_minor bigint not null,
  created_at timestamptz not null,
  constraint transfers_pk primary key (merchant_id, transaction_id, id),
  constraint transfers_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint transfers_kind check (kind in ('POSTED', 'PENDING', 'POST', 'VOID')),
  constraint transfers_resolution check ((kind in ('POST', 'VOID')) = (pending_id is not null)),
  constraint transfers_amount_positive check (amount_minor > 0),
  constraint transfers_two_accounts check (debit_account_id <> credit_account_id)
);
create unique index transfers_debit_sequence on transfers (merchant_id, debit_account_id, debit_sequence);
create unique index transfers_credit_sequence on transfers (merchant_id, credit_account_id, credit_sequence);
create unique index transfers_resolved_once on transfers (merchant_id, pending_id) where pending_id is not null;
