-- Items of before are held to the constraint on problems too, without a lock that stops payouts meanwhile.

alter table batch_items validate constraint batch_items_valid;
