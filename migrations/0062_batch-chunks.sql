-- A dispatch holds the money of up to 100,000 items at once, in chunks: few holds, made in one movement. A worker then
-- opens a chunk by turning its hold into the holds of its items, so that any number of workers share a batch.
create table batch_chunks (
  merchant_id uuid not null,
  mode text not null,
  batch_id uuid not null,
  -- From 1.
  chunk integer not null,
  -- Its id in the books: the transaction that its holds belong to.
  id uuid not null,
  first_position integer not null,
  last_position integer not null,
  item_count integer not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  vat_minor bigint not null,
  stamp_duty_minor bigint not null,
  amount_hold_id uuid not null,
  -- A hold of zero is none.
  fee_hold_id uuid,
  vat_hold_id uuid,
  stamp_duty_hold_id uuid,
  -- When a worker may open it; while one does, the end of its lease. Null: it is open.
  due_at timestamptz,
  constraint batch_chunks_pk primary key (merchant_id, mode, batch_id, chunk),
  constraint batch_chunks_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint batch_chunks_amounts check (
    item_count > 0 and amount_minor > 0 and fee_minor >= 0 and vat_minor >= 0 and stamp_duty_minor >= 0
  )
);
create index batch_chunks_due on batch_chunks (merchant_id, mode, due_at) where due_at is not null;
