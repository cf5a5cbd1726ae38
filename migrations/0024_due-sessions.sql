-- Payment sessions that are due are listed by time over all merchants; references of public keys have a scope of their own.

drop index payment_sessions_opening;
drop index payment_sessions_expiring;
create index payment_sessions_opening on payment_sessions (mode, due_at) where status = 'OPENING';
create index payment_sessions_expiring on payment_sessions (mode, due_at) where status in ('OPEN', 'PARTIALLY_PAID');

-- Made last: of indexes that cost the same, the newest is taken.
alter table payment_sessions drop constraint payment_sessions_pk;
alter table payment_sessions add constraint payment_sessions_pk primary key (merchant_id, mode, id);

update unique_keys k set scope = 'PAYMENT_SESSION_PUBLIC_REFERENCE'
  from payment_sessions s
 where k.scope = 'PAYMENT_SESSION_REFERENCE' and s.merchant_id = k.merchant_id and s.mode = k.mode
   and s.id = k.subject_id and s.opened_by = 'PUBLIC_KEY';
