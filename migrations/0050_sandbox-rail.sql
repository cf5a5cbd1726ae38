-- The sandbox rail's own books: what the simulated bank received, apart from ours, so that the two can be compared.
create table sandbox_rail_transfers (
  merchant_id uuid not null,
  mode text not null constraint sandbox_rail_transfers_mode_check check (mode = 'SANDBOX'),
  rail_reference text not null,
  amount_minor bigint not null constraint sandbox_rail_transfers_amount_check check (amount_minor > 0),
  currency text not null,
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  narration text not null,
  scenario text not null,
  session_id text not null,
  first_sent_at timestamptz not null,
  -- Null: the message was lost on its way. Set once, however often the reference is sent.
  received_at timestamptz,
  queries integer not null,
  notices_delivered integer not null,
  -- Null: the scenario has no notice left to deliver.
  next_notice_at timestamptz,
  constraint sandbox_rail_transfers_pkey primary key (merchant_id, mode, rail_reference)
);

create index sandbox_rail_transfers_next_notice_idx
  on sandbox_rail_transfers (merchant_id, mode, next_notice_at)
  where next_notice_at is not null;
