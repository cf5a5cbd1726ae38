-- An event names the request that caused it. Null: no request did, or a release before this one wrote it.
alter table events add column request_id text;
