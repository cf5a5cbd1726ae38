-- The rows that were there are checked apart from the lock that the new rule takes.
alter table settlement_lines validate constraint settlement_lines_result;
