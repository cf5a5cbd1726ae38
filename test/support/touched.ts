import type { Database, Queries } from '../../src/platform/db/database.ts';

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/**
 * What work finds, and how many pages of tables and indexes its statements touch with the plans of the service: what a read
 * costs whatever the machine is busy with, and whatever is in memory.
 */
export async function touchedBy<T>(
  database: Database,
  work: (queries: Queries) => Promise<T>,
): Promise<{ found: T; pages: number }> {
  let pages = 0;
  const queries: Queries = {
    ...database,
    query: async (asked, values = []) => {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, buffers, format json) ${asked.text}`,
        [...values],
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
      return database.query(asked, values);
    },
  };
  return { found: await work(queries), pages };
}
