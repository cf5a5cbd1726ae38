-- no-transaction: What its provider said of a dispute that has ended is asked again for some months. Those that are due are
-- found without reading what was asked for the last time.

create index concurrently disputes_ended_asked on disputes (merchant_id, mode, check_at, id)
  where ended_at is not null and check_at is not null;
