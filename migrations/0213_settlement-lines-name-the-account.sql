-- A line of a rail's file settles or ends a payout only where it is about that payout: also by account and currency, which
-- differ in words of their own.
alter table settlement_lines
  add column account_number text,
  add column bank_code text;
alter table settlement_lines drop constraint settlement_lines_result;
alter table settlement_lines add constraint settlement_lines_result check (result in (
  'MATCHED', 'MISSING_HERE', 'MISSING_THERE', 'AMOUNT_DIFFERS', 'CURRENCY_DIFFERS', 'ACCOUNT_DIFFERS', 'DATE_DIFFERS',
  'STATUS_DIFFERS', 'LATE_REVERSAL', 'DUPLICATE_LINE', 'UNREADABLE'
)) not valid;
