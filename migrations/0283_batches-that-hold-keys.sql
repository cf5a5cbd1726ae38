-- no-transaction: every single payout asks which batches hold keys for their items, and mostly there is none.
create index concurrently batches_holding_keys on batches (merchant_id, mode, id) where holds_keys;
