import type pg from 'pg';

/** With any of these off, an answer that a client has may not survive a power cut. */
const MUST_BE_ON = ['fsync', 'full_page_writes', 'synchronous_commit'];

/**
 * Which of the server's settings would lose acknowledged commits; none is right. `synchronous_commit` may also be
 * `local` or a `remote_*` level.
 */
export async function unsafeSettings(client: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [MUST_BE_ON],
  );
  return rows.filter((row) => row.setting === 'off').map((row) => `${row.name} = off`);
}
