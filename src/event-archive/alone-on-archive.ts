import { runAlone } from '../platform/db/alone.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';

/** Any number that nobody else uses for a lock of this kind. */
const LOCK = 4_207_115;

export const archiveUnderWay = () =>
  new AppError('conflict', 'ARCHIVE_UNDER_WAY', 'Another process is archiving events. Wait until it has ended.');

/**
 * Runs what changes the archive, where no other process does.
 * @throws AppError 409 `ARCHIVE_UNDER_WAY`
 */
export async function aloneOnArchive<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const done = await runAlone(database, LOCK, async () => ({ value: await work() }));
  if (done === undefined) throw archiveUnderWay();
  return done.value;
}
