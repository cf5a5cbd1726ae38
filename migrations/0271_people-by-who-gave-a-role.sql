-- no-transaction: every decision asks whom its person brought in within the last day.
create index concurrently people_by_role_given on people (role_given_by, role_given_at) where role_given_by is not null;
