-- The rows that were there are held to the constraints of 0050 while others are read and written.

alter table approvals validate constraint approvals_kind;
alter table payouts validate constraint payouts_purpose;
