-- no-transaction: what one person did is asked of a log that is mostly of programs, without reading all that they did.
create index concurrently audit_entries_by_actor on audit_entries (merchant_id, actor_id, id);
