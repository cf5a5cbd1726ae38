-- no-transaction: entries of one kind are found without reading past a flood of others, in the log of one merchant.
create index concurrently audit_entries_by_category on audit_entries (merchant_id, category, id) where category is not null;
