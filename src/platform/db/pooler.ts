import pg from 'pg';
import { hasCitus, isPooled } from './engine.ts';
import { connectionOptions, PLANNING, planningOf, WRITING, withPlanning } from './planning.ts';
import { connectToPrimary, serversOf } from './primary.ts';

/**
 * A pooler between the service and PostgreSQL is not set up as the service needs it; the message says what to change.
 */
export class PoolerError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PoolerError';
  }
}

const CHECKED = 'pooling-check';
const UNKNOWN_STATEMENT = '26000';
const STATEMENT_EXISTS = '42P05';
/** A pool without a free connection does not answer: then nothing is known, and nothing is refused. */
const ANSWER_MS = 3_000;
/** Connections that are held until one of them has the server connection that has to be busy. */
const MOST_HELD = 4;

/**
 * Refuses a pooler that would lose settings or prepared statements: the first would let requests read whole tables, the
 * second would fail statements at random.
 * @returns false where the database cannot be reached, or its pooler has no free connection: then nothing is known
 * @throws PoolerError with what to set
 */
export async function requirePooling(connectionString: string, applicationName: string): Promise<boolean> {
  const connect = () =>
    connectToPrimary({
      connectionString: withPlanning(connectionString),
      application_name: `${applicationName} check`,
      options: connectionOptions(),
      query_timeout: ANSWER_MS,
      connectionTimeoutMillis: ANSWER_MS,
    });
  const open: pg.Client[] = [];
  const another = async () => {
    const client = await connect();
    open.push(client);
    return client;
  };
  try {
    const client = await another().catch((error: unknown) => refusedOptions(error, connectionString));
    await requirePlanning(client);
    await requireWriting(client);
    return !(await isPooled(client)) || (await requirePreparedStatements(client, another));
  } catch (error) {
    if (error instanceof PoolerError) throw error;
    return false;
  } finally {
    await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  }
}

/** PgBouncer refuses start-up options unless its settings let them pass. */
function refusedOptions(error: unknown, connectionString: string): never {
  if (error instanceof Error && /unsupported startup parameter/i.test(error.message)) {
    throw new PoolerError(
      'The pooler in DATABASE_URL refuses start-up options. Set "ignore_startup_parameters = options" in its settings, and ' +
        `give the role the settings itself, at PostgreSQL:\n${asRoleSettings(roleOf(connectionString), PLANNING)}`,
      error,
    );
  }
  throw error;
}

async function requirePlanning(client: pg.Client): Promise<void> {
  const names = Object.keys(PLANNING);
  const { rows } = await client.query<{ name: string; setting: string; role: string }>(
    'select name, setting, current_user as role from pg_settings where name = any($1)',
    [names],
  );
  const isAs = (wanted: typeof PLANNING) => rows.every(({ name, setting }) => wanted[name] === setting);
  if (isAs(PLANNING)) return;
  const wanted = planningOf(await hasCitus(client));
  if (isAs(wanted)) return;
  throw new PoolerError(
    'The pooler in DATABASE_URL drops start-up options. Give the role the settings itself, at PostgreSQL, and let the ' +
      `pooler open its connections anew:\n${asRoleSettings(rows[0]?.role ?? '', wanted)}`,
  );
}

/** Names of one zone in which every time has one text. */
const ZONES_OF_UTC: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT']);

const isAsWritten = (name: string, wanted: string | undefined, setting: string) =>
  name === 'TimeZone' ? ZONES_OF_UTC.has(setting) : setting.split(',')[0] === wanted;

/**
 * Other things that a pooler drops: times in another style would be read wrongly, and rows that are hashed as text would have
 * another text in another zone.
 */
async function requireWriting(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string; role: string }>(
    'select name, setting, current_user as role from pg_settings where name = any($1) order by name',
    [Object.keys(WRITING)],
  );
  const wrong = rows.filter(({ name, setting }) => !isAsWritten(name, WRITING[name], setting));
  if (wrong.length === 0) return;
  const said = wrong.map(({ name, setting }) => `${name} is "${setting}"`).join(' and ');
  const wanted = Object.fromEntries(wrong.map(({ name }) => [name, WRITING[name] ?? '']));
  throw new PoolerError(
    `Behind the pooler in DATABASE_URL ${said}. Give the role what the service reads, at PostgreSQL, and let the pooler open ` +
      `its connections anew:\n${asRoleSettings(wrong[0]?.role ?? '', wanted)}`,
  );
}

const asRoleSettings = (role: string, planning: typeof PLANNING) =>
  Object.entries(planning)
    .map(([name, setting]) => `  alter role ${pg.escapeIdentifier(role)} set ${name} = ${setting};`)
    .join('\n');

const roleOf = (connectionString: string) =>
  new pg.Client({ connectionString: serversOf(connectionString)[0] }).user ?? '';

/**
 * Prepares a statement, keeps its server connection busy with another client, and runs the statement again.
 * @returns false where that could not be done
 */
async function requirePreparedStatements(client: pg.Client, another: () => Promise<pg.Client>): Promise<boolean> {
  const statement = { name: CHECKED, text: 'select pg_backend_pid() as pid' };
  try {
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>(statement);
    await client.query('commit');
    for (let held = 0; held < MOST_HELD; held += 1) {
      const holder = await another();
      await holder.query('begin');
      if ((await holder.query<{ pid: number }>(statement)).rows[0]?.pid === rows[0]?.pid) break;
    }
    await client.query(statement);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || ![UNKNOWN_STATEMENT, STATEMENT_EXISTS].includes(error.code ?? ''))
      return false;
    throw new PoolerError(
      'The pooler in DATABASE_URL does not keep prepared statements. PgBouncer does from 1.21 on, with ' +
        '"max_prepared_statements = 500" in its settings; or use "pool_mode = session".',
      error,
    );
  }
}
