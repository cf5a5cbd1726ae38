-- Mails wait here, written in the transaction that they tell of, until a worker has handed them to the mail server.
-- Without one they can be read in the local outbox.
create table mails (
  id uuid not null,
  recipient text not null,
  subject text not null,
  -- It may hold a link that opens a door: sealed, and removed after a week.
  body_sealed text,
  created_at timestamptz not null,
  -- When to try next; who tries moves it on first, so that two never send the same one.
  due_at timestamptz not null,
  tries integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text,
  constraint mails_pk primary key (id)
);
create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;
create index mails_with_body on mails (created_at) where body_sealed is not null;
