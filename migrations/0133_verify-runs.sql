-- Whoever asks whether the books are right gets the last proof at once, whichever process made it, and when.
create table verify_runs (
  id uuid not null,
  state text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  started_by text not null,
  -- JSON, as text: what was looked at and each check.
  report text not null,
  constraint verify_runs_pk primary key (id),
  constraint verify_runs_state check (state in ('RIGHT', 'WRONG', 'FAILED'))
);
