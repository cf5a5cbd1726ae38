-- no-transaction: The index of 0094 has all that this one has.

drop index concurrently if exists transactions_by_status;
