import type pg from 'pg';

/** True where Citus distributes the database of this connection. */
export async function hasCitus(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}
