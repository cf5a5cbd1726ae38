-- The key, the hash of what was asked and the first answer commit with the effect: a retry can only read them back.
create table idempotency_keys (
  merchant_id uuid not null,
  mode text not null,
  key text not null,
  input_hash text not null,
  transaction_id uuid,
  answer_status integer not null,
  answer_body text,
  answer_message text,
  event_sequence bigint,
  created_at timestamptz not null,
  constraint idempotency_keys_pk primary key (merchant_id, mode, key),
  constraint idempotency_keys_mode check (mode in ('SANDBOX', 'LIVE')),
  -- The answer is a whole body, or a message around the data of an event: then that text is kept once.
  constraint idempotency_keys_answer check (
    (answer_body is not null and answer_message is null and event_sequence is null)
    or (answer_body is null and answer_message is not null and event_sequence is not null)
  )
);
