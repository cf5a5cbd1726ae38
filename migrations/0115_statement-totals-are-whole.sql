-- Totals within a statement that an earlier release left behind are added by the job, and not with the next transfer alone.

alter table daily_total_cursors add column has_statement_totals boolean not null default false;
comment on column daily_total_cursors.has_statement_totals is
  'As far as days of a wallet are added up, its statement has all its totals. Where not, the job adds them.';
