-- A plan that is made while the log is empty would read one merchant's entries by the index for all merchants, which is
-- newer than the key: only the lists that name its condition, which is true of every row, may use it.
drop index audit_entries_by_id;
create index audit_entries_of_all on audit_entries (id) where at > '-infinity';
