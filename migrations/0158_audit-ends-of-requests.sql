-- no-transaction: a list that has each deed once looks up how a request that was asked for ended, without reading the log.
create index concurrently audit_entries_ended on audit_entries (merchant_id, request_id) where outcome <> 'ASKED';
