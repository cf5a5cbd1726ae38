-- What was paid to whom is known to every way in: a payout notes one amount to one account for the time at which it is
-- paid, and whatever pays the same within a while of it is a duplicate. Unlike a mark, many payouts may hold one key, so
-- one that fails gives back its own and no other's.
create table dedupe_keys (
  merchant_id uuid not null,
  mode text not null,
  -- The payout.
  subject_id uuid not null,
  -- PAID: for the time at which it is paid. WAITING: it may be paid as soon as people approve it. A day in Lagos: a
  -- schedule for that day, for the time at which it was asked for.
  scope text not null,
  -- Bank, account, amount and currency.
  value text not null,
  batch_id uuid,
  from_at timestamptz not null,
  until_at timestamptz not null,
  -- How long the same counted as a duplicate when it was noted.
  window_seconds integer not null,
  -- Accepted although the same was there: it was meant twice.
  is_meant boolean not null,
  -- The event of the movement that noted it: the order in which keys were noted.
  sequence bigint not null,
  constraint dedupe_keys_pk primary key (merchant_id, mode, subject_id, scope),
  constraint dedupe_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint dedupe_keys_span check (from_at <= until_at)
);
create index dedupe_keys_by_sequence on dedupe_keys (merchant_id, mode, sequence);
-- The condition is true of every row. Only who looks for a key names it, so that no other statement is planned with it.
create index dedupe_keys_taken on dedupe_keys (merchant_id, mode, scope, value, until_at) where until_at > '-infinity';
