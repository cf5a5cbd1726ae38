-- The rows that were there are held to the constraints of 0047 while others are read and written.

alter table accounts validate constraint accounts_kind;
alter table transactions validate constraint transactions_category;
