-- Where money can go and who sends it: the bank directory, the operator's rails, the sandbox's own bank.

create table banks (
  code text not null,
  nip_code text,
  name text not null,
  short_name text not null,
  kind text not null,
  active boolean not null,
  constraint banks_pk primary key (code),
  constraint banks_nip_code_unique unique (nip_code),
  constraint banks_code check (code ~ '^([0-9]{3}|[0-9]{5}|[0-9]{6})$'),
  constraint banks_nip_code check (nip_code ~ '^[0-9]{6}$'),
  constraint banks_kind check (kind in ('COMMERCIAL', 'MERCHANT', 'MICROFINANCE', 'MOBILE_MONEY', 'PAYMENT_SERVICE'))
);
comment on table banks is
  'Reference data: the bank directory. A bank has two codes that are not interchangeable, so both are columns.';
comment on column banks.code is
  'What clients send as bankCode: the central bank''s code, or the one in common use. The check digit of an account '
  'number is made with it. Where a bank is known by its network code only, both columns have it.';
comment on column banks.nip_code is
  'The six-digit code of the interbank payment network. Null: there is no certain source for it.';
-- Network codes are those of the published participant list of 31 March 2021. Heritage Bank lost its licence on
-- 3 June 2024: its row stays, so that old records still have a name, and takes no new payouts.
insert into banks (code, nip_code, name, short_name, kind, active) values
  ('011', '000016', 'First Bank of Nigeria', 'First Bank', 'COMMERCIAL', true),
  ('023', '000009', 'Citibank Nigeria', 'Citibank', 'COMMERCIAL', true),
  ('030', '000020', 'Heritage Bank', 'Heritage', 'COMMERCIAL', false),
  ('032', '000018', 'Union Bank of Nigeria', 'Union Bank', 'COMMERCIAL', true),
  ('033', '000004', 'United Bank for Africa', 'UBA', 'COMMERCIAL', true),
  ('035', '000017', 'Wema Bank', 'Wema', 'COMMERCIAL', true),
  ('044', '000014', 'Access Bank', 'Access', 'COMMERCIAL', true),
  ('050', '000010', 'Ecobank Nigeria', 'Ecobank', 'COMMERCIAL', true),
  ('057', '000015', 'Zenith Bank', 'Zenith', 'COMMERCIAL', true),
  ('058', '000013', 'Guaranty Trust Bank', 'GTBank', 'COMMERCIAL', true),
  ('063', '000005', 'Access Bank (Diamond)', 'Access (Diamond)', 'COMMERCIAL', true),
  ('068', '000021', 'Standard Chartered Bank Nigeria', 'Standard Chartered', 'COMMERCIAL', true),
  ('070', '000007', 'Fidelity Bank', 'Fidelity', 'COMMERCIAL', true),
  ('076', '000008', 'Polaris Bank', 'Polaris', 'COMMERCIAL', true),
  ('082', '000002', 'Keystone Bank', 'Keystone', 'COMMERCIAL', true),
  ('100', '000022', 'SunTrust Bank', 'SunTrust', 'COMMERCIAL', true),
  ('101', '000023', 'Providus Bank', 'Providus', 'COMMERCIAL', true),
  ('102', '000025', 'Titan Trust Bank', 'Titan', 'COMMERCIAL', true),
  ('106', null, 'Signature Bank', 'Signature', 'COMMERCIAL', true),
  ('125', null, 'Rubies Microfinance Bank', 'Rubies', 'MICROFINANCE', true),
  ('214', '000003', 'First City Monument Bank', 'FCMB', 'COMMERCIAL', true),
  ('215', '000011', 'Unity Bank', 'Unity', 'COMMERCIAL', true),
  ('221', '000012', 'Stanbic IBTC Bank', 'Stanbic IBTC', 'COMMERCIAL', true),
  ('232', '000001', 'Sterling Bank', 'Sterling', 'COMMERCIAL', true),
  ('301', '000006', 'Jaiz Bank', 'Jaiz', 'COMMERCIAL', true),
  ('565', null, 'Carbon', 'Carbon', 'MICROFINANCE', true),
  ('566', null, 'VFD Microfinance Bank', 'VFD', 'MICROFINANCE', true),
  ('50211', null, 'Kuda Microfinance Bank', 'Kuda', 'MICROFINANCE', true),
  ('50515', null, 'Moniepoint Microfinance Bank', 'Moniepoint', 'MICROFINANCE', true),
  ('51310', null, 'Sparkle Microfinance Bank', 'Sparkle', 'MICROFINANCE', true),
  ('100002', '100002', 'Paga', 'Paga', 'MOBILE_MONEY', true),
  ('100022', null, 'GoMoney', 'GoMoney', 'MOBILE_MONEY', true),
  ('100039', null, 'Paystack-Titan', 'Paystack-Titan', 'MOBILE_MONEY', true),
  ('999991', '100033', 'PalmPay', 'PalmPay', 'MOBILE_MONEY', true),
  ('999992', '100004', 'OPay (Paycom)', 'OPay', 'MOBILE_MONEY', true),
  ('000024', '000024', 'Rand Merchant Bank', 'Rand', 'MERCHANT', true),
  ('000026', '000026', 'TAJBank', 'TAJ', 'COMMERCIAL', true),
  ('000027', '000027', 'Globus Bank', 'Globus', 'COMMERCIAL', true),
  ('060001', '060001', 'Coronation Merchant Bank', 'Coronation', 'MERCHANT', true),
  ('100023', '100023', 'TagPay', 'TagPay', 'MOBILE_MONEY', true),
  ('120001', '120001', '9 Payment Service Bank', '9PSB', 'PAYMENT_SERVICE', true),
  ('120002', '120002', 'HopePSB', 'HopePSB', 'PAYMENT_SERVICE', true);

create table rail_accounts (
  name text not null,
  provider text not null,
  mode text not null,
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
comment on table rail_accounts is
  'The operator''s accounts at banks and providers. A row is never deleted: payouts name their rail for ever. '
  'sealed_credentials is bound to name, provider, mode and base_url, so none of them can change under it.';
comment on column rail_accounts.base_url is 'Null: the provider''s own address.';

create table default_rails (
  mode text not null,
  first_rail text not null,
  second_rail text,
  updated_at timestamptz not null,
  constraint default_rails_pk primary key (mode),
  constraint default_rails_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint default_rails_order check (second_rail is null or second_rail <> first_rail)
);
comment on table default_rails is
  'Which rails pay for merchants that chose none. Without a row the sandbox rail plays, and live money goes '
  'nowhere.';

create table tenant_rails (
  merchant_id uuid not null,
  mode text not null,
  first_rail text,
  second_rail text,
  chosen_by text not null,
  chosen_at timestamptz not null,
  constraint tenant_rails_pk primary key (merchant_id, mode),
  constraint tenant_rails_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint tenant_rails_chosen_by check (chosen_by in ('MERCHANT', 'OPERATOR')),
  constraint tenant_rails_order check (second_rail is null or (first_rail is not null and second_rail <> first_rail))
);
comment on table tenant_rails is
  'Which rails pay for one merchant, where the merchant or the operator chose. Payouts made from then on use them.';
comment on column tenant_rails.first_rail is
  'Null: the choice was withdrawn, and the operator''s default applies again.';
comment on column tenant_rails.second_rail is
  'Gets only what the first was certainly never asked to send, or definitely refused.';

create table rail_references (
  rail text not null,
  rail_reference text not null,
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  constraint rail_references_pk primary key (rail, rail_reference),
  constraint rail_references_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table rail_references is
  'Directory: a provider webhook that does not say whose payout it is about names only the reference. Written '
  'before the rail is called.';

create table sandbox_rail_transfers (
  merchant_id uuid not null,
  mode text not null,
  rail_reference text not null,
  amount_minor bigint not null,
  currency text not null,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  narration text not null,
  scenario text not null,
  session_id text not null,
  first_sent_at timestamptz not null,
  received_at timestamptz,
  queries integer not null,
  notices_delivered integer not null,
  next_notice_at timestamptz,
  constraint sandbox_rail_transfers_pkey primary key (merchant_id, mode, rail_reference),
  constraint sandbox_rail_transfers_mode_check check (mode = 'SANDBOX'),
  constraint sandbox_rail_transfers_amount_check check (amount_minor > 0)
);
comment on table sandbox_rail_transfers is
  'The sandbox rail''s own books: what the simulated bank received, apart from ours, so that the two can be '
  'compared.';
comment on column sandbox_rail_transfers.received_at is
  'Null: the message was lost on its way. Set once, however often the reference is sent.';
comment on column sandbox_rail_transfers.next_notice_at is 'Null: the scenario has no webhook left to deliver.';
create index sandbox_rail_transfers_next_notice_idx
  on sandbox_rail_transfers (merchant_id, mode, next_notice_at)
  where next_notice_at is not null;
-- The sandbox clock moves the simulated bank too. Only scenarios wait for a time there.
create index sandbox_rail_transfers_scenarios on sandbox_rail_transfers (merchant_id, mode)
  where scenario <> 'success';
