-- no-transaction: What is due of all merchants is looked for by its time: merchants with something that will be due later cost nothing.

create index concurrently merchant_settlement_schedules_due_at on merchant_settlement_schedules (mode, due_at)
  where due_at > '-infinity';
