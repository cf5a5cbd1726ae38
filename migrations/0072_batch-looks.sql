-- Looking at 100,000 rows is done in turns, by whoever has time: the batch says where to go on, since when a bank has
-- been silent, and how many rows carry a warning, which does not stop a payment and so must be seen.
alter table batches
  -- Position of the last item that this pass looked at; items about which the rail was silent are left to the next pass.
  add column looked_up_to integer not null default 0,
  add column silent_since timestamptz,
  -- Of the items that have been looked at.
  add column warned_items integer not null default 0,
  -- The bank's name is not much like the given one.
  add column low_match_items integer not null default 0;

-- Every item is written once more, with what the bank said: in the room left on its page, no index has to be touched.
alter table batch_items set (fillfactor = 60);
