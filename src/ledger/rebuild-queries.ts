import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** The books of the merchant `$1`; of all where it is null. */
export const listBooksToRebuild = statement<{ merchant_id: string; mode: Mode }>(
  'list-books-to-rebuild',
  `select merchant_id, mode from books where $1::uuid is null or merchant_id = $1 order by merchant_id, mode`,
);

/** Waits for a job that has these books, for the part of a second that its step takes. */
export const waitForTotalsCursor = statement(
  'lock-daily-total-cursor-to-rebuild',
  `select from daily_total_cursors where merchant_id = $1 and mode = $2 for update`,
);

export const deleteDailyTotals = statement(
  'delete-daily-totals',
  `delete from daily_totals where merchant_id = $1 and mode = $2`,
);

export const deleteMerchantDailyTotals = statement(
  'delete-merchant-daily-totals',
  `delete from merchant_daily_totals where merchant_id = $1 and mode = $2`,
);

export const deleteStatementTotals = statement(
  'delete-statement-totals',
  `delete from statement_totals where merchant_id = $1 and mode = $2`,
);

/** Nothing is added up, so nothing is missing. */
export const restartTotalsCursor = statement(
  'restart-daily-total-cursor',
  `update daily_total_cursors set event_sequence = 0, has_statement_totals = true where merchant_id = $1 and mode = $2`,
);

/** The same of a reader's cursor `$3`: the reader leaves these books alone until the transaction has ended. */
export const waitForEventCursor = statement(
  'lock-event-cursor-to-rebuild',
  `select from event_cursors where merchant_id = $1 and mode = $2 and reader = $3 for update`,
);

/** A cursor beyond the last event would have the reader wait for events that it then leaves out. */
export const updateEventCursorBack = statement(
  'update-event-cursor-back',
  `update event_cursors c set event_sequence = b.event_sequence
     from books b
    where c.merchant_id = $1 and c.mode = $2 and c.reader = $3
      and b.merchant_id = $1 and b.mode = $2 and c.event_sequence > b.event_sequence`,
);
