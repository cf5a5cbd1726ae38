-- no-transaction: What is due of all merchants is looked for by its time: merchants with something that will be due later cost nothing.

create index concurrently reserves_due_at on reserves (due_at) where due_at > '-infinity';
