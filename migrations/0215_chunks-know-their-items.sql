-- A chunk is opened into the payouts that were dispatched: what its items were then is kept with it, as a SHA-256 in hex.
-- Null: dispatched before that was kept.
alter table batch_chunks add column items_digest text;
