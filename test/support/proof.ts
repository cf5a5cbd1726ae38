import type { Database } from '../../src/platform/db/database.ts';
import { type CheckResult, verifyBooks } from '../../src/verify/index.ts';

/** What the proof of the books finds wrong. */
export async function brokenChecks(database: Database): Promise<CheckResult[]> {
  const { checks } = await verifyBooks(database);
  return checks.filter(({ ok }) => !ok);
}

/** The checks that are broken while a change is there; then it is taken back. */
export async function brokenBy(database: Database, sql: string): Promise<string[]> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const { rowCount } = await client.query(sql);
    if (rowCount === 0) throw new Error(`nothing was changed by ${sql}`);
    const { checks } = await verifyBooks({
      readApart: (_connections, work) =>
        work([
          {
            query: async (asked, values = []) => (await client.query(asked.text, [...values])).rows,
            run: () => Promise.reject(new Error('a proof writes nothing')),
          },
        ]),
    });
    return checks.filter(({ ok }) => !ok).map(({ name }) => name);
  } finally {
    await client.query('rollback');
    client.release();
  }
}
