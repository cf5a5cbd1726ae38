-- no-transaction: Those that wait for somebody are few, and found without reading what is over.

create index concurrently compliance_cases_open_newest on compliance_cases (id) where status = 'OPEN';
