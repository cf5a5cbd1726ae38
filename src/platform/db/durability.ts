import type pg from 'pg';

/** The database may lose what was acknowledged; the message says what to change. */
export class NotDurableError extends Error {
  override readonly name = 'NotDurableError';
}

/** With any of these off, a power cut may lose a commit that a client was answered. */
const MUST_BE_ON = ['fsync', 'full_page_writes', 'synchronous_commit'];

/**
 * The settings of this connection that would lose acknowledged commits, such as `fsync = off`; none where all are right. A role
 * and a database can have their own. `synchronous_commit` may also be `local` or a `remote_*` level.
 */
export async function unsafeSettings(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1) order by name',
    [MUST_BE_ON],
  );
  return rows.filter((row) => row.setting === 'off').map((row) => `${row.name} = off`);
}
