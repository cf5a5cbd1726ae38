-- Who integrates sees what their programs sent and were answered, without what is secret, and how often it went wrong.

create table request_log_settings (
  merchant_id uuid not null,
  mode text not null,
  keeps_bodies boolean not null,
  keep_days integer not null,
  updated_at timestamptz not null,
  constraint request_log_settings_pk primary key (merchant_id, mode),
  constraint request_log_settings_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint request_log_settings_keep_days check (keep_days between 1 and 7)
);
comment on table request_log_settings is
  'Whether bodies of API requests are kept, and for how many days. Without a row: in the sandbox, and never in live mode.';

create table request_log_bodies (
  merchant_id uuid not null,
  mode text not null,
  id uuid not null,
  request_kept text not null,
  request_body text,
  request_bytes integer not null,
  answer_kept text not null,
  answer_body text,
  answer_bytes integer not null,
  constraint request_log_bodies_pk primary key (merchant_id, mode, id),
  constraint request_log_bodies_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint request_log_bodies_request_kept check (request_kept in ('FULL', 'CUT', 'SIZE', 'NONE')),
  constraint request_log_bodies_answer_kept check (answer_kept in ('FULL', 'CUT', 'SIZE', 'NONE')),
  constraint request_log_bodies_request_text check ((request_body is null) = (request_kept in ('SIZE', 'NONE'))),
  constraint request_log_bodies_answer_text check ((answer_body is null) = (answer_kept in ('SIZE', 'NONE')))
);
comment on table request_log_bodies is
  'The bodies of requests of request_log, by the same id: what a schema says is secret or personal, and what no schema '
  'knows, is left out before anything is written.';
comment on column request_log_bodies.request_kept is
  'CUT: the beginning alone. SIZE: it could not be read, or was too large, and only its size is known. NONE: there was none.';

create table request_log_counts (
  merchant_id uuid not null,
  mode text not null,
  minutes integer not null,
  slot timestamptz not null,
  method text not null,
  route text not null,
  status integer not null,
  code text not null,
  within_ms integer not null,
  requests integer not null,
  constraint request_log_counts_pk primary key (merchant_id, mode, minutes, slot, method, route, status, code, within_ms),
  constraint request_log_counts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint request_log_counts_minutes check (minutes in (5, 60)),
  constraint request_log_counts_requests check (requests > 0)
);
comment on table request_log_counts is
  'How many requests of request_log came in each hour, and lately in each five minutes, by operation, answer and how long '
  'it took, so that rates of a week are added up from few rows.';
comment on column request_log_counts.code is 'Empty where the answer had none.';
comment on column request_log_counts.within_ms is 'The step of the scale that the duration was within, in milliseconds.';

-- A page of one request is opened by the id that its answer had. Nobody waits for this table: what cannot be written while
-- an index is built is left out.
create index request_log_by_request on request_log (merchant_id, mode, request_id, id);
-- The requests of one operation, which may be the one that is asked least.
create index request_log_by_operation on request_log (merchant_id, mode, method, route, id);

alter table request_log add column idempotency_key text, add column replayed boolean, add column about text;
comment on column request_log.replayed is 'The answer was that of an earlier request. Null: from before this was noted.';
comment on column request_log.about is 'What was made or changed, as the answer named it: transactionId and its value.';
