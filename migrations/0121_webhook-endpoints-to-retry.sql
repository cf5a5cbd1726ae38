-- no-transaction: Endpoints with a delivery to repeat, of all merchants: few are in it, where every merchant may have an endpoint.

create index concurrently webhook_endpoints_to_retry on webhook_endpoints (retry_at)
  where retry_at is not null and url <> '' and status = 'ENABLED';
