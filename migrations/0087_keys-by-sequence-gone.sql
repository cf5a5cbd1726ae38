-- Whether a key is taken was looked up with it while the table was small: all keys of the merchant for each payout of a batch.

drop index dedupe_keys_by_sequence;
