-- no-transaction: a list is compared with those before it that are still to be dispatched, a few among all there were.
create index concurrently batches_waiting on batches (merchant_id, mode, id) where status in ('VALIDATING', 'NEEDS_FIX', 'READY');
