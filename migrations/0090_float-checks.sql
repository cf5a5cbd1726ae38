-- Each comparison of what the rails hold for us with what our books say they hold, so that a drift shows when it began.
create table float_checks (
  id uuid not null,
  rails text not null,
  mode text not null,
  merchant_id uuid,
  currency text not null,
  -- What the rails say.
  rail_minor bigint not null,
  -- What our books say was put there, less what the rails confirmed that they paid.
  float_minor bigint not null,
  -- Paid by our books and not confirmed by a file yet.
  unsettled_minor bigint not null,
  -- Held for payouts without an outcome: some of it may have left.
  held_minor bigint not null,
  difference_minor bigint not null,
  checked_by text not null,
  checked_at timestamptz not null,
  constraint float_checks_pk primary key (id),
  constraint float_checks_mode check (mode in ('SANDBOX', 'LIVE'))
);
create index float_checks_by_time on float_checks (mode, rails, checked_at);
