-- A list that is made from an earlier one, such as the salaries of last month, remembers which, so that it is shown what
-- differs between the two before anybody is paid.

alter table batches add column repeated_batch_id uuid;
comment on column batches.repeated_batch_id is 'The earlier batch that it was made from, to pay the same people once more. Null: none.';
