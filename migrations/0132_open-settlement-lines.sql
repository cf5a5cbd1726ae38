-- no-transaction: the operator's first screen counts what differs and waits, without reading every line of every file.
create index concurrently settlement_lines_open on settlement_lines (import_id)
  where result <> 'MATCHED' and resolved_at is null;
