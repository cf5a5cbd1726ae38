-- no-transaction: What providers owe is added up for the operator every half minute, merchant by merchant over all of them.

create index concurrently accounts_receivable on accounts (merchant_id, mode, owner_id) where kind = 'COLLECTION_RECEIVABLE';
