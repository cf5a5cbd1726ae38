import type { Database } from './database.ts';

/** While the work runs, the connection that has the lock sends nothing, perhaps for hours. */
const BEGIN = 'begin; set local idle_in_transaction_session_timeout = 0';

/**
 * Runs `work` while no other process on this database runs work with the same number. The lock belongs to a transaction
 * on a connection of its own, so that a killed process leaves none behind, and a pooler that shares connections keeps
 * the one that has it. The transaction reads nothing, so it does not hold back vacuum.
 * @returns undefined where another process has the lock, and nothing was done
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
    // Closing the connection releases the lock.
    client.release(!isFree);
  }
}
