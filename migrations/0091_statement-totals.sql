-- What a wallet's entries come to is kept at every 500th of its transfers, so that any page of a statement is found at once.

create table statement_totals (
  merchant_id uuid not null,
  mode text not null,
  account_id uuid not null,
  sequence bigint not null,
  entries bigint not null,
  credits_minor bigint not null,
  debits_minor bigint not null,
  constraint statement_totals_pk primary key (merchant_id, mode, account_id, sequence),
  constraint statement_totals_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint statement_totals_sums check (sequence > 0 and entries between 0 and sequence and credits_minor >= 0 and debits_minor >= 0)
);
comment on table statement_totals is
  'What the posted transfers of a wallet come to from the first to the one with this sequence, in minor units: a row for every '
  '500th transfer. Derived from the transfers by a worker, which may be behind: what follows the last row is counted when it is read.';
comment on column statement_totals.entries is 'Posted transfers among them: holds and releases have a sequence, and no line.';
create index statement_totals_by_entries on statement_totals (merchant_id, mode, account_id, entries, sequence);
