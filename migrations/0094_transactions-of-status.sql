-- no-transaction: What failed, or is under way, is listed and counted by its category from the index alone.

create index concurrently transactions_of_status on transactions (merchant_id, mode, status, created_at, id) include (category)
  where status <> 'SUCCESS';
