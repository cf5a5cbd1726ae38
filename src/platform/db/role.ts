import type pg from 'pg';

/** Whether the role of this connection is a superuser, which can run programs on the database's machine. */
export async function isSuperuser(client: pg.Client | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = current_user',
  );
  return rows[0]?.rolsuper === true;
}
