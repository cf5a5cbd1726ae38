-- no-transaction: who pays one account looks for it in the few batches that hold keys. The condition is true of every row: only who names it is planned with it.
create index concurrently batch_items_by_account
  on batch_items (merchant_id, batch_id, account_number, amount_minor, position) where position > 0;
