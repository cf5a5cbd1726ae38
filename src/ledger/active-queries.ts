import { statement } from '../platform/db/statement.ts';

/**
 * When books became active, rounded down: their row is written with each group of movements, and its index only where this
 * changes. By the database's clock, which is the same for all processes and which no test moves.
 */
export const ACTIVE_AT = `date_bin('15 seconds', statement_timestamp(), timestamptz '2000-01-01 00:00:00+00')`;

export interface ActiveBooksRow {
  merchant_id: string;
  event_sequence: bigint;
  active_at: Date;
}

/**
 * A movement commits within seconds after its books say that they are active; what became active before this moment is as it
 * stays until it is active again.
 */
export const findActivityEnded = statement<{ ended_at: Date }>(
  'find-activity-ended',
  `select ${ACTIVE_AT} - interval '30 seconds' as ended_at`,
);

/** Books in the mode `$1` by their last activity, after `$2` and, at that moment, the merchant `$3`. $4 how many. */
export const listActiveBooks = statement<ActiveBooksRow>(
  'list-active-books',
  `select merchant_id, event_sequence, active_at from books
    where mode = $1 and (active_at, merchant_id) > ($2, $3::uuid)
    order by active_at, merchant_id
    limit $4`,
);
