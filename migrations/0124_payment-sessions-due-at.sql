-- no-transaction: What is due of all merchants is looked for by its time: merchants with something that will be due later cost nothing.

create index concurrently payment_sessions_due_at on payment_sessions (due_at)
  where status in ('OPEN', 'PARTIALLY_PAID') and due_at > '-infinity';
