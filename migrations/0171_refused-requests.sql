-- no-transaction: whoever builds looks for their own mistakes, a few among all that went well in a week.
create index concurrently request_log_refused on request_log (merchant_id, mode, id) where status >= 400;
