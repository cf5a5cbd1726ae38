-- Which payouts the rail's own file confirmed, each once: then the amount is no longer between us and the rail, it has
-- left the float. A return is settled the other way.
create table payout_settlements (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  kind text not null,
  amount_minor bigint not null,
  -- The transfer that moved it together with others. Null: it was returned before it was settled, so nothing moved.
  transfer_id uuid,
  import_id uuid not null,
  settled_at timestamptz not null,
  constraint payout_settlements_pk primary key (merchant_id, mode, payout_id, kind),
  constraint payout_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_settlements_kind check (kind in ('PAID', 'RETURNED')),
  constraint payout_settlements_amount check (amount_minor > 0)
);
