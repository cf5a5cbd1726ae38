-- What a rail or a person said of a payout, and what stood in a rail's file, is said nowhere else: each gets a digest of its
-- own. And an event says by which idempotency key it was asked for, so that a key that is lost, and would let its request
-- pay again, is missed. Null in all of them: written by a release before this one, or without a key.
alter table payout_attempts add column digest text;
alter table settlement_imports add column digest text;
alter table settlement_lines add column digest text;
alter table events add column idempotency_key text;
