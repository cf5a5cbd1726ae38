-- A plan is made once a connection, often while its tables are small, when every index looks as good as any other. Then
-- the one that was made last is taken: with another one than the key, the hold of each payout and each item of a batch
-- would be found by reading all of the merchant's. So the keys are made last. An index that is added to these tables
-- later has to do this again.
alter table transfers
  drop constraint transfers_pk,
  add constraint transfers_pk primary key (merchant_id, transaction_id, id);

alter table batch_items
  drop constraint batch_items_pk,
  add constraint batch_items_pk primary key (merchant_id, mode, id);
