-- Payments that wait for their settlement are few among many, and are listed by their status; and the rows that were there are held to the constraints of 0030 while others are read and written.

alter table accounts validate constraint accounts_kind;
alter table inbound_payments validate constraint inbound_payments_status;
alter table inbound_payments validate constraint inbound_payments_attributed;

create index inbound_payments_pending_settlement on inbound_payments (merchant_id, mode, status, id)
  where status = 'PENDING_SETTLEMENT';
