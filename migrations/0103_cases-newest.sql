-- no-transaction: Compliance cases of all merchants are listed from the newest on, without sorting all that ever were. The condition
-- is true of every one, and only the list names it: nothing else is to be found by this index.

create index concurrently compliance_cases_newest on compliance_cases (id) where opened_at > '-infinity';
