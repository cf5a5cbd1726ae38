-- Lists read from an index, however long the history is. Store debits, the busiest kind, pay for the first one only.
create index transactions_by_time on transactions (merchant_id, mode, created_at, id);
create index transactions_by_status on transactions (merchant_id, mode, status, created_at, id)
  where status <> 'SUCCESS';
create index transactions_by_category on transactions (merchant_id, mode, category, created_at, id)
  where category <> 'STORE_TO_MERCHANT';
create index transactions_by_reference on transactions (merchant_id, mode, client_reference)
  where client_reference is not null;
create index events_by_subject on events (merchant_id, subject_id, sequence)
  where type <> 'transaction.succeeded';
