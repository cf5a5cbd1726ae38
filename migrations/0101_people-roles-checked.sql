-- The rows that were there are checked apart from the lock that the new rules take.
alter table people validate constraint people_role;
alter table people validate constraint people_operator_has_no_role;
