-- What a second person puts into force is what the first one brought: a SHA-256 in hex over it, kept with it.
-- Null: from before that was kept.
alter table outcome_proposals add column digest text;
