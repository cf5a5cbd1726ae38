-- A list says how many of its rows repeat what was paid or waits, and a dispatch is held to what was said.
alter table batches
  add column duplicate_items integer not null default 0,
  add column duplicate_minor bigint not null default 0,
  -- Its items count as taken by others though they have no keys yet: it waits for approval, or has chunks to open.
  add column holds_keys boolean not null default false,
  -- The event since which they do. Null: never.
  add column holding_since bigint,
  -- As it was dispatched.
  add column allow_duplicate boolean not null default false;

alter table batch_items
  -- The directory's code of the bank, where the given one is another of its codes.
  add column directory_bank_code text,
  -- JSON: what the item repeats. Null: nothing.
  add column repeats text;

update batches b
   set holds_keys = true, holding_since = 0
 where b.status = 'PENDING_APPROVAL'
    or (b.status = 'DISPATCHING' and exists (
      select 1 from batch_chunks c
       where c.merchant_id = b.merchant_id and c.mode = b.mode and c.batch_id = b.id and c.due_at is not null
    ));
