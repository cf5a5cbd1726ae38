-- The close of a day is signed: what was shown is kept as it was, and a new version says why. The lines of 0062 are held to their constraints.

create table daily_closes (
  id uuid not null,
  mode text not null,
  day date not null,
  version integer not null,
  figures text not null,
  figures_digest text not null,
  signed_by uuid not null,
  signed_name text not null,
  signed_at timestamptz not null,
  second_by uuid,
  second_name text,
  second_at timestamptz,
  reopened_by uuid,
  reopened_name text,
  reopened_at timestamptz,
  reopened_reason text,
  digest text not null,
  constraint daily_closes_pk primary key (id),
  constraint daily_closes_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint daily_closes_version check (version > 0),
  constraint daily_closes_second check (num_nonnulls(second_by, second_name, second_at) in (0, 3)),
  constraint daily_closes_reopened check (num_nonnulls(reopened_by, reopened_name, reopened_at, reopened_reason) in (0, 4))
);
comment on table daily_closes is
  'A day in Lagos of the books of a mode, of all merchants together, as one of the operator''s people signed it. It is the operator''s.';
comment on column daily_closes.version is 'Of this day, from 1: a close that was reopened stays, and the next version is signed anew.';
comment on column daily_closes.figures is 'JSON text: exactly what was shown and signed.';
comment on column daily_closes.figures_digest is 'SHA-256 of that text, hex: what was signed.';
comment on column daily_closes.second_by is 'Who signed it beside the first; null: nobody did.';
comment on column daily_closes.reopened_reason is 'Why it counts no more.';
comment on column daily_closes.digest is 'A digest of the row, by which the proof finds an altered one.';
create unique index daily_closes_version_once on daily_closes (mode, day, version);
-- Of two who sign one day at the same moment, one has signed it.
create unique index daily_closes_one_in_force on daily_closes (mode, day) where reopened_at is null;

create table journal_accounts (
  kind text not null,
  rail text not null,
  code text not null,
  name text not null,
  set_by text not null,
  updated_at timestamptz not null,
  constraint journal_accounts_pk primary key (kind, rail)
);
comment on table journal_accounts is
  'What the operator''s accountant calls the accounts of the books, for the journal file of a day. Without a row an account has a name of ours.';
comment on column journal_accounts.rail is 'A provider account, for what it owes; empty: all of the kind.';

alter table provider_settlement_lines validate constraint provider_settlement_lines_result;
alter table provider_settlement_lines validate constraint provider_settlement_lines_deduction;
alter table provider_settlement_lines validate constraint provider_settlement_lines_subject;

alter table float_checks add column receivable_minor bigint;
comment on column float_checks.receivable_minor is
  'What providers still owe by our books: some of it may lie with the rail already. Null: from before it was looked at.';
