-- The operator looks across merchants for account numbers that a provider refused, or does not open for long.

-- The last condition is true of every row, and only the list names it: nothing else is planned with this index.
create index virtual_accounts_not_open on virtual_accounts (merchant_id, mode, requested_at, id)
  where status in ('REQUESTED', 'FAILED') and requested_at > '-infinity';
