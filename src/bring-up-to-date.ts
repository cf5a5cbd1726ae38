import { PLACEMENTS } from './placements.ts';
import { distribute, isDistributed, requireCitus } from './platform/db/distribute.ts';
import { migrate } from './platform/db/migrate.ts';
import type { Logger } from './platform/logger.ts';

interface UpToDate {
  /** Names of files. */
  applied: string[];
  /** Names of tables that were moved; undefined where the database is not distributed. */
  moved: string[] | undefined;
}

/**
 * Migrates a database, and puts the tables where they belong in one that is distributed already, or is to be.
 * @throws MigrationError
 */
export async function bringUpToDate(
  { connectionString, logger }: { connectionString: string; logger: Logger },
  distributes = false,
): Promise<UpToDate> {
  if (distributes) await requireCitus(connectionString);
  const { applied } = await migrate({ connectionString, logger });
  if (!distributes && !(await isDistributed(connectionString))) return { applied, moved: undefined };
  return { applied, moved: await distribute({ connectionString, placements: PLACEMENTS, logger }) };
}
