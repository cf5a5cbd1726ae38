-- What a provider settled of money in: the operator's records of it, what was posted for each payment, and the rules that say whether a merchant waits for it.

alter table accounts drop constraint accounts_kind;
alter table accounts add constraint accounts_kind check (kind in ('MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET',
  'PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE', 'COLLECTION_RECEIVABLE',
  'PENDING_COLLECTIONS', 'PROVIDER_COST')) not valid;

alter table inbound_payments drop constraint inbound_payments_status;
alter table inbound_payments add constraint inbound_payments_status
  check (status in ('CREDITED', 'SUSPENSE', 'RETURNED', 'KEPT', 'PENDING_SETTLEMENT')) not valid;
-- What two people attributed may wait for its settlement, and go back from there.
alter table inbound_payments drop constraint inbound_payments_attributed;
alter table inbound_payments add constraint inbound_payments_attributed
  check (attributed_wallet_id is null or status in ('CREDITED', 'PENDING_SETTLEMENT', 'RETURNED')) not valid;
comment on table inbound_payments is
  'One transfer that a provider confirmed. CREDITED: in the wallet. PENDING_SETTLEMENT: the merchant''s, and available once the provider has settled it. SUSPENSE: in the merchant''s suspense account until two people decide. Gross: what the provider keeps is its cost.';

create table availability_rules (
  id uuid not null,
  merchant_id uuid,
  mode text not null,
  availability text not null,
  effective_from timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  digest text not null,
  constraint availability_rules_pk primary key (id),
  constraint availability_rules_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint availability_rules_availability check (availability in ('ON_CONFIRMATION', 'ON_SETTLEMENT'))
);
comment on table availability_rules is
  'When a payment in is available, as dated rows: a merchant''s own before the one for all merchants, and of several the one that began last. Without any: on confirmation.';
comment on column availability_rules.merchant_id is 'Null: all merchants.';
comment on column availability_rules.source is 'Who decided it, and why.';
comment on column availability_rules.digest is 'A digest of the row, by which the proof finds an altered one.';

create table provider_settlements (
  id uuid not null,
  rail text not null,
  mode text not null,
  reference text not null,
  lump_minor bigint not null,
  currency text not null,
  settled_on date not null,
  cut_off timestamptz,
  file_name text not null,
  file_hash text not null,
  status text not null,
  line_count integer not null,
  imported_by text not null,
  created_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  note text,
  updated_at timestamptz not null,
  digest text not null,
  constraint provider_settlements_pk primary key (id),
  constraint provider_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint provider_settlements_status check (status in ('LOADING', 'MATCHING', 'READY', 'APPLYING', 'DONE', 'DISCARDED')),
  constraint provider_settlements_currency check (currency in ('NGN'))
);
comment on table provider_settlements is
  'What a provider settled to the operator: one lump sum, and the file that says of which payments. It is the operator''s, across merchants.';
comment on column provider_settlements.reference is 'The provider''s own, of this settlement.';
comment on column provider_settlements.lump_minor is 'What arrived, as the operator saw it at its bank or in its balance at the provider.';
comment on column provider_settlements.cut_off is
  'Payments that were confirmed before have to be in the file. Null: nothing is looked for.';
comment on column provider_settlements.file_hash is 'SHA-256 of the file, hex: the same file is imported once, unless it was discarded.';
comment on column provider_settlements.line_count is 'Of the file; zero until it is read.';
comment on column provider_settlements.decided_by is 'Who had it applied, or discarded it.';
comment on column provider_settlements.note is
  'Why it was applied although it does not add up, or why it was discarded.';
comment on column provider_settlements.digest is 'A digest of what was imported, by which the proof finds an altered row.';
create unique index provider_settlements_once on provider_settlements (rail, mode, file_hash) where status <> 'DISCARDED';
create unique index provider_settlements_by_reference on provider_settlements (rail, mode, reference)
  where status <> 'DISCARDED';

create table provider_settlement_lines (
  settlement_id uuid not null,
  id uuid not null,
  line_number integer,
  provider_transaction_id text,
  session_id text,
  reference text,
  gross_minor bigint,
  fee_minor bigint,
  net_minor bigint,
  currency text,
  line_mode text,
  occurred_at timestamptz,
  result text,
  detail text,
  merchant_id uuid,
  payment_id uuid,
  our_amount_minor bigint,
  our_fee_minor bigint,
  resolved_how text,
  resolved_note text,
  resolved_by text,
  resolved_at timestamptz,
  digest text not null,
  constraint provider_settlement_lines_pk primary key (settlement_id, id),
  constraint provider_settlement_lines_result check (result in ('MATCHED', 'FEE_DIFFERS', 'MISSING_HERE', 'MISSING_THERE',
    'AMOUNT_DIFFERS', 'NET_DIFFERS', 'CURRENCY_DIFFERS', 'MODE_DIFFERS', 'STATUS_DIFFERS', 'ALREADY_SETTLED', 'DEDUCTION',
    'DUPLICATE_LINE', 'UNREADABLE')),
  constraint provider_settlement_lines_resolved check ((resolved_at is null) = (resolved_how is null)),
  constraint provider_settlement_lines_resolved_how check (resolved_how in ('ACCEPTED', 'FOUND_LATER'))
);
comment on table provider_settlement_lines is
  'A line of a provider''s settlement of money in as it was read, what came of comparing it with our payments, and who resolved it.';
comment on column provider_settlement_lines.line_number is
  'As in the file, the header being one. Null: the file has no such line, and should (MISSING_THERE).';
comment on column provider_settlement_lines.line_mode is 'SANDBOX or LIVE where the line says it itself.';
comment on column provider_settlement_lines.result is 'Null: not compared yet.';
comment on column provider_settlement_lines.merchant_id is 'The payment that it is about, and what our books said of it.';
comment on column provider_settlement_lines.our_fee_minor is
  'What the provider said at the confirmation that it keeps. Null: it did not say.';
comment on column provider_settlement_lines.digest is 'A digest of the row, by which the proof finds an altered one.';
create unique index provider_settlement_lines_by_number on provider_settlement_lines (settlement_id, line_number)
  where line_number is not null;
create index provider_settlement_lines_by_payment on provider_settlement_lines (settlement_id, payment_id)
  where payment_id is not null;
create index provider_settlement_lines_open on provider_settlement_lines (settlement_id)
  where result not in ('MATCHED', 'FEE_DIFFERS') and resolved_at is null;
-- Of two settlements that lack the same payment, one has the line about it.
create unique index provider_settlement_lines_missing_once on provider_settlement_lines (payment_id)
  where result = 'MISSING_THERE' and resolved_at is null;
create index provider_settlement_lines_in_order
  on provider_settlement_lines (settlement_id, (coalesce(line_number, 2147483647)), id);

create table collection_settlements (
  merchant_id uuid not null,
  mode text not null,
  payment_id uuid not null,
  id uuid not null,
  settlement_id uuid not null,
  line_id uuid not null,
  gross_minor bigint not null,
  fee_minor bigint not null,
  settled_at timestamptz not null,
  constraint collection_settlements_pk primary key (merchant_id, mode, payment_id),
  constraint collection_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint collection_settlements_amounts check (gross_minor > 0 and fee_minor between 0 and gross_minor)
);
comment on table collection_settlements is
  'Which payments in the provider has settled, each once for ever: the gross amount left the receivable, for the float and, the provider''s fee, for its cost.';
comment on column collection_settlements.id is 'Under which the transfers of it are in the books.';
comment on column collection_settlements.line_id is 'The line of the provider''s settlement that says so.';
