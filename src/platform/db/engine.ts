import type pg from 'pg';

/** True where Citus distributes the database of this connection. */
export async function hasCitus(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

const answers = new WeakMap<pg.ClientBase | pg.Pool, boolean>();

/** The same, asked once of each connection or pool. */
export async function isDistributed(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const known = answers.get(client);
  if (known !== undefined) return known;
  const answer = await hasCitus(client);
  answers.set(client, answer);
  return answer;
}

/** Whether the server's process id is hidden: a pooler gives its clients ids of its own. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // The driver's types do not have it.
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID;
}
