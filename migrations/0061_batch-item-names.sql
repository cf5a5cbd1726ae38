-- What a clerk has to see beside a row: the name that the file gave, how like the bank's it is, and what was mended or
-- looks odd without making the row unpayable.
alter table batch_items
  add column given_name text,
  -- 0 to 100; null where no name was given or the bank has not answered.
  add column match_score integer constraint batch_items_match_score check (match_score between 0 and 100),
  -- JSON array of sentences; null for none.
  add column warnings text;
