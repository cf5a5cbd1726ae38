-- Whatever somebody looks for by a name, a part of a reference or an amount is found by index, among millions, and no
-- payment waits for that index: a worker fills it behind the books.

create table search_documents (
  merchant_id uuid not null,
  mode text not null,
  kind text not null,
  subject_id uuid not null,
  era integer not null,
  created_at timestamptz not null,
  amount_minor bigint,
  text text not null,
  tokens integer[] not null,
  constraint search_documents_pk primary key (merchant_id, mode, kind, subject_id),
  constraint search_documents_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint search_documents_era check (era >= 0)
);

-- What waits to be sorted in is read through by every look: it stays short.
create index search_documents_by_token on search_documents using gin (tokens) with (gin_pending_list_limit = 64);

comment on table search_documents is 'What can be found by searching: the texts of one thing as they are compared, derived from its row by a worker, which may be behind.';
comment on column search_documents.era is 'Counts on after some thousand documents of a kind: a search goes through the newest first and stops where it has enough.';
comment on column search_documents.text is 'A line for each name and code, folded: small letters without accents and signs, a line end before and behind.';
comment on column search_documents.tokens is 'Hashes of what the lines consist of, each made with merchant, mode, kind and era, so that no list of the index is of two tenants.';

create table search_counts (
  merchant_id uuid not null,
  mode text not null,
  kind text not null,
  documents bigint not null,
  constraint search_counts_pk primary key (merchant_id, mode, kind),
  constraint search_counts_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint search_counts_documents check (documents >= 0)
);

comment on table search_counts is 'How many documents of a kind were ever made since the index was last filled: their order gives the era.';

create table search_cursors (
  merchant_id uuid not null,
  mode text not null,
  event_sequence bigint not null,
  filling text,
  filled_to uuid,
  constraint search_cursors_pk primary key (merchant_id, mode),
  constraint search_cursors_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint search_cursors_event_sequence check (event_sequence >= 0)
);

comment on table search_cursors is 'Up to which event what happened in the books of a merchant and mode can be found. One worker at a time locks the row.';
comment on column search_cursors.filling is 'The table that is read from the beginning, or CLEARING. Null: it is filled, and follows the events.';
comment on column search_cursors.filled_to is 'The last row of that table that was read. Null: none.';
