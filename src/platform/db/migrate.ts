import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { sqlState } from './database.ts';
import { connectToPrimary } from './primary.ts';

/** Files that were replaced by fewer files with the same schema. */
interface FormerMigrations {
  /** The first of the replaced files: a database that names it was made by them. */
  first: string;
  /** The last of the files that replace them. */
  replacedUpTo: string;
  /**
   * SHA-256 over the replaced files, by name, with a line `name checksum` for each: a database with exactly those is
   * complete.
   */
  digest: string;
}

/** The 121 files of development before version 0.1. */
const FORMER: FormerMigrations = {
  first: '0001_books.sql',
  replacedUpTo: '0012_audit.sql',
  digest: 'b53708538f60e10f1085f667cbf51940f159ba5dedfd74cbdcb6de774a02a409',
};

interface RecordedMigration {
  name: string;
  checksum: string;
}

/**
 * Updates the record of a database that the replaced files made: nothing is applied, since its schema is the one that
 * `migrations` make. False when the replaced files made it, but not all of them.
 */
async function adoptFormer(
  client: pg.ClientBase,
  migrations: readonly RecordedMigration[],
  former: FormerMigrations,
): Promise<boolean> {
  const isFormer = (rows: readonly RecordedMigration[]) => rows.some(({ name }) => name === former.first);
  // Without a lock: a migrator that is at work elsewhere holds one for as long as its file takes.
  if (!isFormer(await recordedIn(client))) return true;
  await client.query('begin');
  try {
    // Migrators that start at the same moment wait here, and then find the new record.
    await client.query('lock table schema_migrations in share row exclusive mode');
    const rows = await recordedIn(client);
    const isComplete = formerDigest(rows) === former.digest;
    if (isComplete) await replaceRecord(client, migrations, former.replacedUpTo);
    await client.query('commit');
    return isComplete || !isFormer(rows);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function recordedIn(client: pg.ClientBase): Promise<RecordedMigration[]> {
  return (await client.query<RecordedMigration>('select name, checksum from schema_migrations')).rows;
}

async function replaceRecord(
  client: pg.ClientBase,
  migrations: readonly RecordedMigration[],
  upTo: string,
): Promise<void> {
  await client.query('delete from schema_migrations');
  for (const { name, checksum } of migrations.filter((migration) => migration.name <= upTo)) {
    await client.query('insert into schema_migrations (name, checksum, applied_at) values ($1, $2, $3)', [
      name,
      checksum,
      new Date(),
    ]);
  }
}

export function formerDigest(recorded: readonly RecordedMigration[]): string {
  const lines = recorded.map(({ name, checksum }) => `${name} ${checksum}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** The migrations of the service. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../migrations', import.meta.url));

const FILE_NAME = /^\d{4}_[a-z0-9-]+\.sql$/;
/** In a file's first line: its one statement cannot run inside a transaction, and must be safe to repeat. */
const NO_TRANSACTION = '-- no-transaction';
/** A change of a busy table waits this long for its lock; while it waits, every query on that table waits behind it. */
const LOCK_TIMEOUT = '1s';
/**
 * Then those queries get their turn, and the change is attempted again: soon at first, as an ordinary transaction is
 * over soon.
 */
const FIRST_LOCK_PAUSE_MS = 500;
const LONGEST_LOCK_PAUSE_MS = 10_000;
/** Longer than a backup of the table takes, which nothing else would wait for. */
const LOCK_PATIENCE_MS = 30 * 60_000;
const RESERVE_TIMEOUT = '100ms';
const RESERVE_PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

const TOO_OLD =
  'This database was made by an early development version, and not brought up to the last one of them. Run "npm run ' +
  'migrate" of the commit before migrations/0001_ledger.sql, then of this one; or begin with an empty database.';

interface MigrateOptions {
  connectionString: string;
  directory?: string;
  former?: FormerMigrations;
  logger: Logger;
}

interface Migration extends RecordedMigration {
  sql: string;
}

/** A file or the database is not as the runner needs it; the message says which and why. */
export class MigrationError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MigrationError';
  }
}

/**
 * Applies the files of `directory` that the database lacks, by name, each once, and returns their names. Any number of
 * processes may do so at the same time: each file is reserved by a row that the others wait for.
 * @throws MigrationError for a file that fails, is misnamed, or was changed after it was applied, for a database that
 *   development versions made but did not bring up to their last file, and for an empty one that is not in UTF8.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.directory ?? MIGRATIONS_DIRECTORY);
  const registry = await connect(options.connectionString);
  try {
    await checkEncoding(registry, options.logger);
    await createTable(registry);
    if (!(await adoptFormer(registry, migrations, options.former ?? FORMER))) throw new MigrationError(TOO_OLD);
    await checkApplied(registry, migrations, options.logger);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (!(await apply(registry, migration, options))) continue;
      options.logger.debug({ migration: migration.name }, 'migration applied');
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await registry.end().catch(() => undefined);
  }
}

export async function fileNames(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  for (const name of names) {
    const number = name.slice(0, 4);
    if (!FILE_NAME.test(name)) throw new MigrationError(`${name}: a migration is named 0001_what-it-does.sql.`);
    if (numbers.has(number)) throw new MigrationError(`${name}: another migration has the number ${number}.`);
    numbers.add(number);
  }
  return names;
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = await fileNames(directory);
  return Promise.all(
    names.map(async (name) => {
      // A checkout with other line ends is the same migration.
      const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = await connectToPrimary({ connectionString, application_name: 'manilla migrate' });
  return client;
}

/**
 * In another encoding, a naira sign and the letters of Yoruba do not exist or count as several: descriptions of
 * transfers contain amounts.
 * @throws MigrationError for a database that is still empty
 */
async function checkEncoding(client: pg.Client, logger: Logger): Promise<void> {
  const { rows } = await client.query<{ encoding: string; begun: boolean }>(
    `select current_setting('server_encoding') as encoding, to_regclass('schema_migrations') is not null as begun`,
  );
  const { encoding = 'UTF8', begun = true } = rows[0] ?? {};
  if (encoding === 'UTF8') return;
  if (!begun)
    throw new MigrationError(
      `The database is encoded in ${encoding}, and has to be in UTF8. Make it anew: ` +
        "create database … encoding 'UTF8' template template0.",
    );
  logger.warn({ encoding }, 'the database is not encoded in UTF8: dump it, and restore it into one that is');
}

async function createTable(client: pg.Client): Promise<void> {
  try {
    await client.query(`create table if not exists schema_migrations (
      name text not null,
      checksum text not null,
      applied_at timestamptz not null,
      constraint schema_migrations_pk primary key (name)
    )`);
  } catch (error) {
    // Another migrator created it at the same moment, which "if not exists" does not notice.
    if (!['23505', '42P07', '42710'].includes(sqlState(error) ?? '')) throw error;
  }
}

async function checkApplied(client: pg.Client, migrations: Migration[], logger: Logger): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const checksums = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const { name, checksum } of rows) {
    const now = checksums.get(name);
    if (now === undefined)
      logger.warn({ migration: name }, 'the database has a migration that this version does not know');
    else if (now !== checksum) {
      throw new MigrationError(
        `${name} was changed after it was applied. Restore the file, and put the change in a new migration.`,
      );
    }
  }
}

/**
 * Applies a file, again and again while other processes hold what it has to lock. False when it is in the database
 * already.
 */
async function apply(registry: pg.Client, migration: Migration, options: MigrateOptions): Promise<boolean> {
  const since = performance.now();
  for (let pauseMs = FIRST_LOCK_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_LOCK_PAUSE_MS)) {
    try {
      return await applyOnce(registry, migration, options.connectionString);
    } catch (error) {
      await registry.query('rollback').catch(() => undefined);
      const isLocked = sqlState(error) === LOCK_NOT_AVAILABLE && performance.now() - since < LOCK_PATIENCE_MS;
      if (!isLocked) {
        throw new MigrationError(`${migration.name} failed and was undone: ${(error as Error).message}`, error);
      }
      options.logger.info({ migration: migration.name, pauseMs }, 'a table is in use: the migration is tried again');
      await sleep(pauseMs);
    }
  }
}

async function applyOnce(registry: pg.Client, migration: Migration, connectionString: string): Promise<boolean> {
  const isReserved = await reserve(registry, migration);
  if (isReserved) await run(registry, migration, connectionString);
  const committed = await registry.query('commit');
  if (committed.command !== 'COMMIT') throw new Error('the database rolled it back');
  return isReserved;
}

/**
 * Begins a transaction and inserts the file's row; false when the row is there already. While another migrator works on
 * the file its row is locked. This asks again and again instead of waiting: a waiting statement keeps a snapshot, and
 * an index that is built concurrently waits for all snapshots to end.
 */
async function reserve(registry: pg.Client, migration: Migration): Promise<boolean> {
  for (;;) {
    // Independent of the database's default: an index build would wait for a snapshot that is kept.
    await registry.query('begin isolation level read committed');
    try {
      await registry.query(`set local lock_timeout = '${RESERVE_TIMEOUT}'`);
      await registry.query('set local idle_in_transaction_session_timeout = 0');
      const { rowCount } = await registry.query(
        'insert into schema_migrations (name, checksum, applied_at) values ($1, $2, $3) on conflict (name) do nothing',
        [migration.name, migration.checksum, new Date()],
      );
      return rowCount === 1;
    } catch (error) {
      await registry.query('rollback').catch(() => undefined);
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      await sleep(RESERVE_PAUSE_MS);
    }
  }
}

async function run(registry: pg.Client, migration: Migration, connectionString: string): Promise<void> {
  if (!(migration.sql.split('\n', 1)[0] ?? '').includes(NO_TRANSACTION)) {
    await registry.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    // One at a time: Citus sends each to its servers, and accepts no others with it.
    for (const sql of statementsIn(migration.sql)) await registry.query(sql);
    return;
  }
  // The reservation stays open on the first connection: an idle transaction without a snapshot delays nothing.
  const outside = await connect(connectionString);
  try {
    if (!(await hasIndex(outside, migration.sql))) await outside.query(migration.sql);
  } finally {
    await outside.end().catch(() => undefined);
  }
}

const BETWEEN_STATEMENTS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;/g;

/** The statements of a file, unchanged. */
export function statementsIn(sql: string): string[] {
  const ends = Array.from(sql.matchAll(BETWEEN_STATEMENTS))
    .filter(([text]) => text === ';')
    .map(({ index }) => index);
  const statements = [...ends, sql.length].map((end, at) =>
    sql.slice(at === 0 ? 0 : (ends[at - 1] as number) + 1, end),
  );
  const saysSomething = (text: string) => text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '';
  return statements.map((text) => text.trim()).filter(saysSomething);
}

const CONCURRENT_INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([a-z0-9_]+)/i;

/**
 * Whether the index of a file is built. The server completes an index also for a process that has ended, which could
 * not record the file. An index that was cut short stays, is not used, and would count as built: it is removed.
 */
async function hasIndex(client: pg.ClientBase, sql: string): Promise<boolean> {
  const name = CONCURRENT_INDEX.exec(sql)?.[1];
  if (name === undefined) return false;
  const { rows } = await client.query<{ indisvalid: boolean }>(
    `select i.indisvalid from pg_index i
       join pg_class c on c.oid = i.indexrelid
      where c.relname = $1 and c.relnamespace = current_schema()::regnamespace`,
    [name],
  );
  if (rows[0]?.indisvalid === false) await client.query(`drop index concurrently ${name}`);
  return rows[0]?.indisvalid === true;
}
