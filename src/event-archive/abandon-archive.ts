import { type EventArchiveRow, listEveryArchive, recordLostArchive } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { aloneOnArchive } from './alone-on-archive.ts';
import { isSealed, isThere } from './files.ts';

interface LossDeps {
  database: Database;
  clock: Clock;
  directory: string;
}

interface Loss {
  fileName: string;
  reason: string;
  actor: string;
}

export interface Abandoned {
  archive: EventArchiveRow;
  /** Other files of the archive, and how many of them are in the folder: none may mean that it is another folder. */
  others: number;
  othersThere: number;
}

/** @throws AppError 404 `ARCHIVE_FILE_NOT_FOUND` */
export const requireArchive = async (database: Database, fileName: string): Promise<EventArchiveRow> =>
  requireNamed(await listEveryArchive(database), fileName);

function requireNamed(archives: readonly EventArchiveRow[], fileName: string): EventArchiveRow {
  const archive = archives.find(({ file_name }) => file_name === fileName);
  if (archive !== undefined) return archive;
  throw new AppError(
    'not_found',
    'ARCHIVE_FILE_NOT_FOUND',
    'No file of archived events has this name. The proof, and archive-events, name the one that is lost.',
  );
}

/**
 * Abandons a file of which no copy exists: its merchant's later events are archived all the same, and every proof says that this file
 * is not read. Nothing is removed; a file that is there again is taken back by the next run.
 * @throws AppError 404 `ARCHIVE_FILE_NOT_FOUND`; 409 `ARCHIVE_UNDER_WAY`, or `ARCHIVE_FILE_THERE` where it is there as it was written
 */
export function abandonArchive({ database, clock, directory }: LossDeps, { fileName, reason, actor }: Loss) {
  return aloneOnArchive(database, async (): Promise<Abandoned> => {
    const archives = await listEveryArchive(database);
    const archive = requireNamed(archives, fileName);
    if (await isSealed(directory, archive)) {
      const message = `${fileName} is there, byte for byte as it was written: nothing of it is lost.`;
      throw new AppError('conflict', 'ARCHIVE_FILE_THERE', message);
    }
    const { merchant_id, mode, number } = archive;
    const abandoned_at = clock.now();
    await recordLostArchive(database, { merchant_id, mode, number, reason, abandoned_by: actor, abandoned_at });
    const others = archives.filter((other) => other !== archive);
    const there = await Promise.all(others.map(({ file_name }) => isThere(directory, file_name)));
    return { archive, others: others.length, othersThere: there.filter(Boolean).length };
  });
}
