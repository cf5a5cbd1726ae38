-- A worker's claim on a payout has a name: it is renewed while the worker lives, lost soon after it dies, and nobody
-- mistakes another's claim for its own. Singles have an index of their own, so that they need not wait behind a batch.
alter table payouts
  -- Null: nobody has it in hand.
  add column claim_id uuid,
  -- The latest moment at which its rail may have been asked to send it; null where that rail certainly was not. Until a
  -- while after it, "not found" is no reason to send again.
  add column sent_at timestamptz;

update payouts set sent_at = due_at where due_at is not null and first_sent_at is not null and next_step = 'QUERY';

create index payouts_due_singles on payouts (merchant_id, mode, due_at, id)
  where due_at is not null and batch_id is null;

-- Of two indexes that look the same to it, as all do while a table is empty, PostgreSQL takes the one that was made last:
-- and would look each transaction of a payout up by reading all of its merchant's in order of time, for as long as that
-- plan lives. So the key is made last. An index that is added to transactions later has to do this again.
alter table transactions
  drop constraint transactions_pk,
  add constraint transactions_pk primary key (merchant_id, mode, id);
