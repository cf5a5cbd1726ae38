-- no-transaction: The index of 0093 has all that this one has.

drop index concurrently if exists transactions_by_category;
