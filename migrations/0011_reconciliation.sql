-- Our books beside the rails' files and balances, and the proofs that the books are right.

create table settlement_imports (
  id uuid not null,
  rail text not null,
  mode text not null,
  merchant_id uuid,
  file_name text not null,
  file_hash text not null,
  status text not null,
  line_count integer not null,
  period_from timestamptz,
  period_to timestamptz,
  imported_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  digest text,
  constraint settlement_imports_pk primary key (id),
  constraint settlement_imports_once unique (rail, mode, file_hash),
  constraint settlement_imports_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint settlement_imports_status check (status in ('LOADING', 'MATCHING', 'SETTLING', 'DONE'))
);
comment on table settlement_imports is
  'A settlement file of a rail: what it says it paid, returned or refused. It is the operator''s, across merchants.';
comment on column settlement_imports.merchant_id is
  'Whose file it is, where the rail keeps each merchant''s books apart.';
comment on column settlement_imports.file_hash is 'SHA-256 of the file, hex: the same file is imported once.';
comment on column settlement_imports.period_from is
  'The first and the last moment that its lines name: what is missing there is looked for between them.';
comment on column settlement_imports.digest is 'A digest of the row, by which the proof finds an altered one.';

create table settlement_lines (
  import_id uuid not null,
  id uuid not null,
  line_number integer,
  reference text,
  session_id text,
  amount_minor bigint,
  currency text,
  occurred_at timestamptz,
  status_text text,
  kind text not null,
  result text,
  detail text,
  merchant_id uuid,
  payout_id uuid,
  our_status text,
  our_amount_minor bigint,
  resolved_how text,
  resolved_note text,
  resolved_by text,
  resolved_at timestamptz,
  settles boolean not null,
  settled_at timestamptz,
  account_number text,
  bank_code text,
  digest text,
  constraint settlement_lines_pk primary key (import_id, id),
  constraint settlement_lines_kind check (kind in ('PAID', 'REVERSED', 'FAILED', 'UNCLEAR')),
  constraint settlement_lines_result check (result in (
    'MATCHED', 'MISSING_HERE', 'MISSING_THERE', 'AMOUNT_DIFFERS', 'CURRENCY_DIFFERS', 'ACCOUNT_DIFFERS', 'DATE_DIFFERS',
    'STATUS_DIFFERS', 'LATE_REVERSAL', 'DUPLICATE_LINE', 'UNREADABLE'
  )),
  constraint settlement_lines_resolved check ((resolved_at is null) = (resolved_how is null)),
  constraint settlement_lines_resolved_how check (resolved_how in ('APPLIED', 'ACCEPTED', 'FOUND_LATER'))
);
comment on table settlement_lines is
  'A line of a settlement file as it was read, the result of the comparison with our books, and who resolved it.';
comment on column settlement_lines.line_number is
  'As in the file, the header being one. Null: the file has no such line, and should (MISSING_THERE).';
comment on column settlement_lines.result is 'Null: not compared yet.';
comment on column settlement_lines.merchant_id is 'The payout that it is about, and what our books said then.';
comment on column settlement_lines.settles is
  'True where the rail''s statement is final and ours is the same: the amount leaves our clearing for the rail''s '
  'float.';
comment on column settlement_lines.account_number is
  'A line settles or ends a payout only where it is about that payout: also by account and currency.';
comment on column settlement_lines.digest is 'A digest of the row, by which the proof finds an altered one.';
create unique index settlement_lines_by_number on settlement_lines (import_id, line_number)
  where line_number is not null;
create index settlement_lines_by_reference on settlement_lines (import_id, reference) where reference is not null;
create index settlement_lines_by_payout on settlement_lines (import_id, payout_id) where payout_id is not null;
create index settlement_lines_to_settle on settlement_lines (import_id, kind, merchant_id, id)
  where settles and settled_at is null;
-- The operator's first page counts what differs and waits, without reading every line of every file.
create index settlement_lines_open on settlement_lines (import_id)
  where result <> 'MATCHED' and resolved_at is null;
-- Of two imports at one moment that miss the same payout, one has the line about it.
create unique index settlement_lines_missing_once on settlement_lines (payout_id)
  where result = 'MISSING_THERE' and resolved_at is null;
-- A page of a long settlement file begins where the one before ended.
create index settlement_lines_in_order on settlement_lines (import_id, (coalesce(line_number, 2147483647)), id);

create table payout_settlements (
  merchant_id uuid not null,
  mode text not null,
  payout_id uuid not null,
  kind text not null,
  amount_minor bigint not null,
  transfer_id uuid,
  import_id uuid not null,
  settled_at timestamptz not null,
  constraint payout_settlements_pk primary key (merchant_id, mode, payout_id, kind),
  constraint payout_settlements_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint payout_settlements_kind check (kind in ('PAID', 'RETURNED')),
  constraint payout_settlements_amount check (amount_minor > 0)
);
comment on table payout_settlements is
  'Which payouts the rail''s own file confirmed, each once: the amount has left the float. A return is settled the '
  'other way.';
comment on column payout_settlements.transfer_id is
  'The transfer that moved it together with others. Null: it was returned before it was settled, so nothing moved.';

create table float_checks (
  id uuid not null,
  rails text not null,
  mode text not null,
  merchant_id uuid,
  currency text not null,
  rail_minor bigint not null,
  float_minor bigint not null,
  unsettled_minor bigint not null,
  held_minor bigint not null,
  difference_minor bigint not null,
  checked_by text not null,
  checked_at timestamptz not null,
  constraint float_checks_pk primary key (id),
  constraint float_checks_mode check (mode in ('SANDBOX', 'LIVE'))
);
comment on table float_checks is
  'Each comparison of what the rails hold for us with what our books say, so that a drift shows when it began.';
comment on column float_checks.rail_minor is 'What the rails say.';
comment on column float_checks.float_minor is
  'What our books say was put there, less what the rails confirmed that they paid.';
comment on column float_checks.unsettled_minor is 'Paid by our books and not confirmed by a file yet.';
comment on column float_checks.held_minor is 'Held for payouts without an outcome: some of it may have left.';
create index float_checks_by_time on float_checks (mode, rails, checked_at);

create table verify_runs (
  id uuid not null,
  state text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  started_by text not null,
  report text not null,
  constraint verify_runs_pk primary key (id),
  constraint verify_runs_state check (state in ('RIGHT', 'WRONG', 'FAILED'))
);
comment on table verify_runs is 'The proofs of the books: the last one can be read at once, whichever process made it.';
comment on column verify_runs.report is 'JSON, as text: what was looked at and each check.';
