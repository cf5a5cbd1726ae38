-- no-transaction: What is paid out is listed and counted by its status from the index alone; debits of stores are in neither index.

create index concurrently transactions_of_category on transactions (merchant_id, mode, category, created_at, id) include (status)
  where category <> 'STORE_TO_MERCHANT';
