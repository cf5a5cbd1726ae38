-- What a dispatch paid is told apart from what another one paid, and its payouts, made later, follow from it alone.
alter table batches
  -- Of the items that would be paid, in any order; as `items_digest` it counts only at `digest_version`.
  add column content_digest text,
  -- What a client was shown of the batch when it was dispatched.
  add column dispatched_digest text,
  -- The day (Africa/Lagos) against whose limit its payouts were counted. Null before the dispatch.
  add column counted_on date;
