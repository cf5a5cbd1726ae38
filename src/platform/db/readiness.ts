import { type Database, isNotMigrated, isRightMissing } from './database.ts';
import { fileNames, MIGRATIONS_DIRECTORY } from './migrate.ts';
import { statement } from './statement.ts';

/** What a process can do with its database; `AWAY` where it cannot be reached, or no server of it takes writes. */
export type Readiness = 'READY' | 'AWAY' | 'NOT_MIGRATED' | 'RIGHT_MISSING';

/** Of an account that may only read. */
export const RIGHT_MISSING_WORDS =
  'The account in DATABASE_URL lacks a right: it may not write. It has to own its database and all in it.';

/** Whoever may write here was given the rest as well: it is the last thing that a role for reports gets. */
const WRITTEN = 'transfers';

const listApplied = statement<{ name: string; may_write: boolean }>(
  'list-applied-migrations',
  `select name, has_table_privilege('${WRITTEN}', 'INSERT') as may_write from schema_migrations`,
);

/**
 * One short question. Ready is a database that has every file of `directory`, and whose account may write. A superuser may;
 * whoever owns a table may, unless the right was taken away.
 */
export async function readinessOf(
  database: Pick<Database, 'query'>,
  directory = MIGRATIONS_DIRECTORY,
): Promise<Readiness> {
  const files = await fileNames(directory);
  try {
    const rows = await database.query(listApplied, []);
    const applied = new Set(rows.map(({ name }) => name));
    if (!files.every((name) => applied.has(name))) return 'NOT_MIGRATED';
    return rows.every(({ may_write: mayWrite }) => mayWrite) ? 'READY' : 'RIGHT_MISSING';
  } catch (error) {
    if (isNotMigrated(error)) return 'NOT_MIGRATED';
    return isRightMissing(error) ? 'RIGHT_MISSING' : 'AWAY';
  }
}
