import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Files that were replaced by fewer files which make the same schema. */
export interface FormerMigrations {
  /** The first of the replaced files: a database that names it was made by them. */
  first: string;
  /** The last of the files that replace them. */
  replacedUpTo: string;
  /** SHA-256 over the replaced files, by name, as `name checksum` a line: a database that names exactly those is complete. */
  digest: string;
}

/** The 121 files of development before version 0.1. */
export const FORMER: FormerMigrations = {
  first: '0001_books.sql',
  replacedUpTo: '0012_audit.sql',
  digest: 'b53708538f60e10f1085f667cbf51940f159ba5dedfd74cbdcb6de774a02a409',
};

export interface RecordedMigration {
  name: string;
  checksum: string;
}

/**
 * Brings the record of a database that the replaced files made up to date: nothing is applied, for its schema is the
 * one that `migrations` make. False when the replaced files made it, but not all of them.
 */
export async function adoptFormer(
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
