-- A payout that fires or is approved later has to know by then whether it was meant although the same was paid.
alter table payouts add column allow_duplicate boolean not null default false;
