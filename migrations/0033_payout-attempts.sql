-- Every call to a rail leaves a row before it is made: who asks what became of a payout reads its attempts in order.
create table payout_attempts (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  -- Sorts by time.
  id uuid not null,
  kind text not null,
  started_at timestamptz not null,
  -- Null: the answer is not here, because the call is under way or its worker died.
  ended_at timestamptz,
  outcome text,
  code text,
  reason text,
  message text,
  session_id text,
  constraint payout_attempts_pk primary key (merchant_id, mode, payout_id, id),
  constraint payout_attempts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_attempts_kind check (kind in ('SEND', 'QUERY')),
  constraint payout_attempts_outcome check (
    outcome in ('succeeded', 'failed', 'unknown', 'not_found', 'reversed')
  ),
  constraint payout_attempts_ended check ((ended_at is null) = (outcome is null))
);
