-- The day (Africa/Lagos) against whose limit a payout was counted, so that a failed one gives its part back, and the
-- mark by which a duplicate is recognised. Null where it was not counted or not marked.
alter table payouts add column counted_on date, add column mark text;
