import type { Database } from '../../src/platform/db/database.ts';
import type { Asked } from '../../src/platform/db/statement.ts';

/** The plan of a statement as the service's connections make it, once for whatever values come. */
export async function planOf<Row>(database: Database, { statement, values }: Asked<Row>): Promise<string> {
  const client = await database.pool.connect();
  try {
    await client.query(`prepare planned as ${statement.text}`);
    const literals = values.map((value) => client.escapeLiteral(textOf(value)));
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) execute planned (${literals.join(', ')})`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('deallocate all');
    // The driver thinks that its own statements are still prepared.
    client.release(true);
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each)).join(',')}}` : String(value);
}
