-- no-transaction: What is due of all merchants is looked for by its time: merchants with something that will be due later cost nothing.

create index concurrently payouts_due_at on payouts (due_at) where due_at > '-infinity';
