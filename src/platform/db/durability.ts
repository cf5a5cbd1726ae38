import type pg from 'pg';
import { isDistributed } from './engine.ts';

/** The database may lose what was acknowledged; the message says what to change. */
export class NotDurableError extends Error {
  override readonly name = 'NotDurableError';
}

/** With any of these off, a power cut may lose a commit that a client was answered. */
const MUST_BE_ON = ['fsync', 'full_page_writes', 'synchronous_commit'];

/**
 * The settings of this connection that would lose acknowledged commits, such as `fsync = off`; none where all are right. A role
 * and a database can have their own. `synchronous_commit` may also be `local` or a `remote_*` level. Where Citus distributes the
 * database, those of its connections to the other servers too: each of them commits what it has.
 */
export async function unsafeSettings(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const here = await client.query<{ unsafe: string }>(`${UNSAFE} order by 1`);
  const others = (await isDistributed(client)) ? await unsafeElsewhere(client) : [];
  return [...new Set([...here.rows.map((row) => row.unsafe), ...others])];
}

const UNSAFE = `select name || ' = off' as unsafe from pg_settings
  where setting = 'off' and name in (${MUST_BE_ON.map((name) => `'${name}'`).join(', ')})`;

/** A server that cannot be asked is left out: readiness waits for it. */
async function unsafeElsewhere(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ unsafe: string }>(
    `select distinct unnest(string_to_array(result, ',')) as unsafe
       from run_command_on_all_nodes($1) where success order by 1`,
    [`select string_agg(unsafe, ',') from (${UNSAFE}) found`],
  );
  return rows.map((row) => row.unsafe);
}
