-- Payments that were returned or kept are few among many that were credited, and are listed by their status.

create index inbound_payments_returned_or_kept on inbound_payments (merchant_id, mode, status, id)
  where status in ('RETURNED', 'KEPT');
