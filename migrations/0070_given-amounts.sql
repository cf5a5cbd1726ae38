-- A list to be mended has to show each row as it was given. An amount that could not be read as one is zero in the
-- books of the batch; its text is here. Null for every amount that could be read.
alter table batch_items add column given_amount text;
