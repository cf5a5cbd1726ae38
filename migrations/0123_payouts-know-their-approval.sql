-- A payout and a batch name their approval, and the version of the rules by which they needed one or none, so that a proof
-- need not guess what was in force. Null version: made before there were rules.
alter table payouts
  add column approval_id uuid,
  add column rules_version integer;
alter table batches
  add column approval_id uuid,
  add column rules_version integer;
