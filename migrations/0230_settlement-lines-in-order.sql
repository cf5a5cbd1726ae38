-- no-transaction: a page of a long settlement file, and a file of its lines, begins where the one before ended.
create index concurrently settlement_lines_in_order on settlement_lines (import_id, (coalesce(line_number, 2147483647)), id);
