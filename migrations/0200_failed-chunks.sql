-- A chunk that could not be opened waits for its next attempt, and must not count as one that is being opened.

alter table batch_chunks add column failed_at timestamptz;
