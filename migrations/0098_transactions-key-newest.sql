-- What knows a transaction's key finds it by the index of 0097, which is the newest now; the others have their names back.

alter index transactions_of_category rename to transactions_by_category;
alter index transactions_of_status rename to transactions_by_status;
alter table transactions drop constraint transactions_pk;
alter table transactions add constraint transactions_pk primary key using index transactions_pk_anew;
