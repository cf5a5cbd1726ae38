import { statement } from '../platform/db/statement.ts';

/**
 * The last event of a tenant that nobody reads any more: what its endpoint has not been sent, each delivery that is kept, and
 * what the index of the search has not read stay. Null: nobody reads any.
 */
export const findNeededAfter = statement<{ sequence: bigint | null }>(
  'find-events-needed-after',
  `select least(
     (select cursor_sequence from webhook_endpoints where merchant_id = $1 and mode = $2 and url <> ''),
     (select min(sequence) - 1 from webhook_deliveries where merchant_id = $1 and mode = $2),
     (select event_sequence from search_cursors where merchant_id = $1 and mode = $2)
   ) as sequence`,
);
