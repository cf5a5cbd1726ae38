-- no-transaction: of the imports that miss a payout at one moment, one has the line about it.
create unique index concurrently settlement_lines_missing_once on settlement_lines (payout_id)
  where result = 'MISSING_THERE' and resolved_at is null;
