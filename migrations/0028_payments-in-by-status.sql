-- Payments that were returned or kept are few among many that were credited, and are listed by their status.

-- Constraints of 0026 and 0027: rows are read and written meanwhile.
alter table payment_sessions validate constraint payment_sessions_opened_by;
alter table payment_sessions validate constraint payment_sessions_fee_bearer;
alter table payment_sessions validate constraint payment_sessions_charges;
alter table inbound_payments validate constraint inbound_payments_charges;

create index inbound_payments_returned_or_kept on inbound_payments (merchant_id, mode, status, id)
  where status in ('RETURNED', 'KEPT');
