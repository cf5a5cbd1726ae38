-- No question asks for payouts by their batch: the items and the transactions of one are found by their own indexes.

drop index payouts_batch;
