import type { Database } from './database.ts';

/**
 * Runs `work` while nobody else on this database runs what has the same number. The lock is that of a connection of its
 * own, so that a process that is killed leaves none behind.
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
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
    if (rows[0]?.taken === true) return await work();
    isFree = true;
    return undefined;
  } finally {
    if (!isFree) {
      isFree = await client.query('select pg_advisory_unlock($1)', [lock]).then(
        () => true,
        () => false,
      );
    }
    // With its connection a lock goes.
    client.release(!isFree);
  }
}
