-- no-transaction: and in the logs of all, which only lists that name the second condition, true of every row, may use.
create index concurrently audit_entries_of_all_by_category on audit_entries (category, id)
  where category is not null and at > '-infinity';
