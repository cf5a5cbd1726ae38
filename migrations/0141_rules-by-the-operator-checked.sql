-- The rows that were there are checked apart from the lock that the new rule takes.
alter table approval_rules validate constraint approval_rules_operator;
