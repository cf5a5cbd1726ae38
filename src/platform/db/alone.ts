import type { Database } from './database.ts';

/** While the work is done nothing is asked by the connection that has the lock, for hours perhaps. */
const BEGIN = 'begin; set local idle_in_transaction_session_timeout = 0';

/**
 * Runs `work` while nobody else on this database runs what has the same number. The lock is that of a transaction on a
 * connection of its own, so that a process that is killed leaves none behind, and a pooler that shares connections keeps the
 * one that has it. The transaction reads nothing: it keeps nothing from being vacuumed.
 * @returns undefined where somebody else is at it, and nothing was done
 */
export async function runAlone<T>(
  { pool }: Pick<Database, 'pool'>,
  lock: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await pool.connect();
  let isFree = false;
  try {
    await client.query(BEGIN);
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [lock]);
    return rows[0]?.taken === true ? await work() : undefined;
  } finally {
    isFree = await client.query('rollback').then(
      () => true,
      () => false,
    );
    // With its connection a lock goes.
    client.release(!isFree);
  }
}
