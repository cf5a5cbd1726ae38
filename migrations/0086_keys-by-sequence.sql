-- no-transaction: The index of 0087, under a condition that only the question about what came since names: so no other question is planned with it.

create index concurrently dedupe_keys_since on dedupe_keys (merchant_id, mode, sequence) where sequence >= 0;
