-- no-transaction: before a mail of a group goes out, its group to the same address is looked up.
create index concurrently mails_by_group on mails (recipient, group_key, id) where group_key is not null;
