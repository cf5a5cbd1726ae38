-- What knows the key of a settlement finds it by the index of 0079, which is the newest now.

alter table merchant_settlements drop constraint merchant_settlements_pk;
alter table merchant_settlements add constraint merchant_settlements_pk primary key using index merchant_settlements_pk_anew;
