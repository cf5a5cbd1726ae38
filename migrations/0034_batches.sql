-- A bulk payout: its items are checked, mended and then paid together. Every change takes the next version, so that a
-- dispatch pays exactly the items that it read.
create table batches (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  status text not null,
  reason text,
  purpose text not null,
  scenario text,
  version integer not null,
  item_count integer not null,
  -- Payouts of this batch that have not ended; counted down as they end.
  open_items integer not null,
  -- When a worker must next look: to validate, to expire or to conclude. Null: never again.
  due_at timestamptz,
  expires_at timestamptz not null,
  dispatched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint batches_pk primary key (merchant_id, mode, id),
  constraint batches_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batches_purpose check (purpose in ('GENERAL', 'SALARY', 'OWN_ACCOUNT')),
  constraint batches_status check (status in (
    'VALIDATING', 'NEEDS_FIX', 'READY', 'PENDING_APPROVAL', 'DISPATCHING', 'COMPLETED', 'PARTIALLY_COMPLETED',
    'CANCELLED', 'EXPIRED'
  )),
  constraint batches_counts check (item_count >= 0 and open_items >= 0)
);
create index batches_due on batches (merchant_id, mode, due_at) where due_at is not null;
