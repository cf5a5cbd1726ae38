-- A link in a mail proves that somebody reads the address: its secret is kept as a hash, serves one purpose, and counts
-- once. Sign-ups wait for theirs, so that nobody takes an address that is not their own.
create table links (
  token_hash text not null,
  purpose text not null,
  -- A sign-up, an invitation or a person.
  subject_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint links_pk primary key (token_hash),
  constraint links_purpose check (purpose in ('CONFIRM', 'RESET', 'INVITATION'))
);
create index links_of_subject on links (subject_id);
create index links_by_end on links (expires_at);

create table sign_ups (
  id uuid not null,
  email text not null,
  password_hash text not null,
  business_name text not null,
  first_name text not null,
  last_name text not null,
  phone_number text not null,
  created_at timestamptz not null,
  constraint sign_ups_pk primary key (id)
);
create index sign_ups_by_time on sign_ups (created_at);
