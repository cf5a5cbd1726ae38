-- What a rail says it paid, returned or refused, line by line, beside what our books say: kept as it was read, with what
-- came of the comparison and who resolved it. It is the operator's, across merchants.
create table settlement_imports (
  id uuid not null,
  rail text not null,
  mode text not null,
  -- Whose file it is, where the rail keeps each merchant's books apart.
  merchant_id uuid,
  file_name text not null,
  -- SHA-256 of the file, hex: the same file is imported once.
  file_hash text not null,
  status text not null,
  line_count integer not null,
  -- The first and the last moment that its lines name: what is missing there is looked for between them.
  period_from timestamptz,
  period_to timestamptz,
  imported_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint settlement_imports_pk primary key (id),
  constraint settlement_imports_once unique (rail, mode, file_hash),
  constraint settlement_imports_mode check (mode in ('SANDBOX', 'LIVE')),
  constraint settlement_imports_status check (status in ('LOADING', 'MATCHING', 'SETTLING', 'DONE'))
);

create table settlement_lines (
  import_id uuid not null,
  id uuid not null,
  -- As in the file, the header being one. Null: the file has no such line, and should (MISSING_THERE).
  line_number integer,
  reference text,
  session_id text,
  amount_minor bigint,
  currency text,
  occurred_at timestamptz,
  status_text text,
  kind text not null,
  -- Null until it was compared.
  result text,
  detail text,
  -- The payout that it is about, and what our books said then.
  merchant_id uuid,
  payout_id uuid,
  our_status text,
  our_amount_minor bigint,
  resolved_how text,
  resolved_note text,
  resolved_by text,
  resolved_at timestamptz,
  -- True where the rail's word is final and ours is the same: the amount leaves our clearing for the rail's float.
  settles boolean not null,
  settled_at timestamptz,
  constraint settlement_lines_pk primary key (import_id, id),
  constraint settlement_lines_kind check (kind in ('PAID', 'REVERSED', 'FAILED', 'UNCLEAR')),
  constraint settlement_lines_result check (result in (
    'MATCHED', 'MISSING_HERE', 'MISSING_THERE', 'AMOUNT_DIFFERS', 'DATE_DIFFERS', 'STATUS_DIFFERS', 'LATE_REVERSAL',
    'DUPLICATE_LINE', 'UNREADABLE'
  )),
  constraint settlement_lines_resolved check ((resolved_at is null) = (resolved_how is null)),
  constraint settlement_lines_resolved_how check (resolved_how in ('APPLIED', 'ACCEPTED', 'FOUND_LATER'))
);
create unique index settlement_lines_by_number on settlement_lines (import_id, line_number)
  where line_number is not null;
create index settlement_lines_by_reference on settlement_lines (import_id, reference) where reference is not null;
create index settlement_lines_by_payout on settlement_lines (import_id, payout_id) where payout_id is not null;
create index settlement_lines_to_settle on settlement_lines (import_id, kind, merchant_id, id)
  where settles and settled_at is null;
create index settlement_lines_missing on settlement_lines (payout_id)
  where result = 'MISSING_THERE' and resolved_at is null;
