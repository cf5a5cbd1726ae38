-- no-transaction: What is due of all merchants is looked for by its time: merchants with something that will be due later cost nothing.

create index concurrently refunds_due_at on refunds (due_at) where due_at > '-infinity';
