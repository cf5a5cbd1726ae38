-- no-transaction: everybody sees what they made, newest first, without reading what all the others made.
create index concurrently approvals_by_maker on approvals (merchant_id, mode, made_by, id);
