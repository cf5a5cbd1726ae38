-- no-transaction: Books that went on since a moment, of all merchants. It begins with that moment, so that it serves nothing else.

create index concurrently books_by_activity on books (active_at, merchant_id, mode);
