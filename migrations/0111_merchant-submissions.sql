-- While a merchant's details wait for the operator they must not change under the eyes of whoever looks at them.
alter table merchants add column submitted_at timestamptz;
