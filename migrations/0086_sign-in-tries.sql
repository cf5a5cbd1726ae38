-- Wrong passwords count here, across processes, and also for addresses that are nobody's, so that a guess tells nothing.
create table sign_in_tries (
  -- SHA-256 of the address in lower case: what people mistype is not kept.
  email_hash text not null,
  tries integer not null,
  last_tried_at timestamptz not null,
  locked_until timestamptz,
  constraint sign_in_tries_pk primary key (email_hash),
  constraint sign_in_tries_count check (tries >= 0)
);
create index sign_in_tries_by_time on sign_in_tries (last_tried_at);
