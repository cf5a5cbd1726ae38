-- The rows that were there are checked apart from the lock that the new rule takes.
alter table payouts validate constraint payouts_operator_reason;
