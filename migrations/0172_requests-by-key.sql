-- no-transaction: what one key asked is looked for when it misbehaves, and it may be the one that asks least of all.
create index concurrently request_log_by_key on request_log (merchant_id, mode, key_id, id);
