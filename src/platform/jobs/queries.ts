import { composed, type Statement } from '../db/statement.ts';
import type { Mode } from '../tenant.ts';

/** Rows that a job waits for: its own statement finds only rows among these. */
export interface Queue {
  /** The statement that lists or leases them; the queue has its name. */
  readonly statement: Pick<Statement<never>, 'name' | 'text'>;
  readonly table: string;
  /** A condition on columns of the table alone; `$1` is now. */
  readonly condition: string;
  /** Each server has a copy of the rows; they are not merchants' rows on shards. */
  readonly isCopied: boolean;
  /** The table has no modes, so the rows concern both. */
  readonly hasNoMode: boolean;
}

/** @param condition that of the statement, or a weaker one; `$1` is now */
export function queue(
  statement: Queue['statement'],
  table: string,
  condition: string,
  { isCopied = false, hasNoMode = false }: Partial<Pick<Queue, 'isCopied' | 'hasNoMode'>> = {},
): Queue {
  return { statement, table, condition, isCopied, hasNoMode };
}

/**
 * SQL for: no worker has a lease on it. No lease was taken, or the last one ran out, or it was written by a clock that
 * was ahead by more than a minute: its worker may have been killed, and nobody waits for that clock.
 * @param until what a lease that is taken now lasts to
 */
export const isFreeSql = (lease: string, now: string, until: string): string =>
  `(${lease} is null or ${lease} <= ${now} or ${lease} > ${until}::timestamptz + interval '1 minute')`;

interface FoundQueue {
  queue: string;
  mode: Mode | null;
}

/**
 * Which queues have rows, by one statement. Each part has the merchant's column in the same place, so that Citus sends
 * a union to each shard as a whole.
 */
export function glanceAt(queues: readonly Queue[], now: Date) {
  const parts = queues.map(
    ({ statement, table, condition, isCopied, hasNoMode }) =>
      `select ${isCopied ? '' : 'merchant_id, '}${hasNoMode ? 'null::text' : 'mode'} as mode, '${statement.name}' as queue from ${table}
          where ${condition}`,
  );
  const text = `select queue, mode
     from (${parts.join('\n        union all\n        ')}) waiting
    where $1::timestamptz is not null
    group by queue, mode`;
  return composed<FoundQueue>('glance-at-queues', text, [now]);
}
