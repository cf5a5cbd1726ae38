-- no-transaction: the unique index over the same lines serves the same questions.
drop index concurrently settlement_lines_missing;
