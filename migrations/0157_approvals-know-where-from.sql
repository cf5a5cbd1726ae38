-- Whoever decides sees from where it was asked for, as the audit log has it. Null: made before this was kept.
alter table approvals add column made_ip text;
