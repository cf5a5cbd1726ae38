-- no-transaction: A merchant's own limits are as many as it has made changes. Each tenant reads its own by this index, the
-- operator its own, and nobody those of all.

create index concurrently payout_limits_of_merchant on payout_limits (owner, merchant_id, mode, effective_from, id);
