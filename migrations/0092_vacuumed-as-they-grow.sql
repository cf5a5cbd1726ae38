-- Counting and skipping read an index alone where a table was vacuumed: after so many new rows, and not after a fifth of a long history.

alter table transactions set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
alter table inbound_payments set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
