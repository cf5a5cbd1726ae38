-- no-transaction: The list of large transactions reads payouts of any age by when they were paid; what is small, as nearly all is, is in no index.

create index concurrently transactions_large on transactions (mode, paid_at, id)
  where category = 'PAYOUT' and amount_minor >= 100000000;
