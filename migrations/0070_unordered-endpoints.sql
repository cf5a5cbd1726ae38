-- A receiver that goes by the sequence of an event itself may be called several times at once, in no order.

alter table webhook_endpoints add column ordered boolean not null default true;
comment on column webhook_endpoints.ordered is
  'One call after the other, in the order of the events. False: several at once, where the merchant wants it so.';
