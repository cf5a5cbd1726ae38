-- no-transaction: The same for payments in, by when they were confirmed.

create index concurrently inbound_payments_large on inbound_payments (mode, confirmed_at, id) where amount_minor >= 100000000;
