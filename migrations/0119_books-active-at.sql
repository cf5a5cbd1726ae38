-- Readers of events found what is new by comparing the books of every merchant with their own place, several times a second: with
-- 100,000 merchants that kept a processor busy although nobody asked for anything. Books say when they went on, so that only those are
-- compared. The time is rounded down: their row is written with each group of movements, and the index only where this changes.

alter table books add column active_at timestamptz not null default timestamptz '2000-01-01 00:00:00+00';
