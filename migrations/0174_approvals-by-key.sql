-- no-transaction: a program asks for what its key made, whatever the others made beside it.
create index concurrently approvals_by_key on approvals (merchant_id, mode, made_by_key, id);
