import type { Database, Queries } from '../platform/db/database.ts';
import { arrayOf, rowsFor } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type ArchivableRow,
  type EventArchiveRow,
  findArchivedTo,
  findSlowestReader,
  insertArchive,
  insertLostArchive,
  type LostArchiveRow,
  listAllArchives,
  listAllLostArchives,
  listArchivable,
  listArchivesOf,
  listLostArchivesOf,
  lockArchive,
  removeArchived,
  updateArchiveFound,
  updateRemovedTo,
} from './archive-queries.ts';
import { unreadableEvent } from './errors.ts';

/** Old events are read in pages of this size. */
const EVENTS_A_PAGE = 1_000;

interface ArchiveRange {
  /** Events after this sequence, */
  after: bigint;
  /** and up to this one, */
  upTo: bigint;
  /** that happened before this time. */
  before: Date;
  /** At most so many. */
  limit: number;
}

/**
 * The events of a tenant that may be archived, in order, page by page, until one is too young. They never change, so no
 * lock is taken.
 * @throws Error for one whose text cannot be put together: its file would not have it
 */
export async function* readArchivable(
  queries: Queries,
  { merchantId, mode }: Tenant,
  { after, upTo, before, limit }: ArchiveRange,
): AsyncGenerator<ArchivableRow[]> {
  let at = after;
  for (let left = limit; left > 0; ) {
    const size = Math.min(left, EVENTS_A_PAGE);
    const rows = await queries.query(listArchivable, [merchantId, mode, at, upTo, before, size]);
    const lost = rows.find(({ is_readable }) => !is_readable);
    if (lost !== undefined) throw unreadableEvent(`${lost.sequence} of ${merchantId} ${mode}`);
    const young = rows.findIndex(({ is_old }) => !is_old);
    const old = young === -1 ? rows : rows.slice(0, young);
    if (old.length > 0) yield old;
    if (young !== -1 || rows.length < size) return;
    at = rows.at(-1)?.sequence ?? at;
    left -= old.length;
  }
}

/**
 * How far the slowest event reader of the tenant has read: nothing after it may be archived. Undefined where nothing
 * reads its events.
 */
export async function readSlowestReader(queries: Queries, tenant: Tenant): Promise<bigint | undefined> {
  const [row] = await queries.query(findSlowestReader, [tenant.merchantId, tenant.mode]);
  return row?.read_to ?? undefined;
}

/** The archive files of a tenant, from the first on. */
export function listArchives(queries: Queries, tenant: Tenant): Promise<EventArchiveRow[]> {
  return queries.query(listArchivesOf, [tenant.merchantId, tenant.mode]);
}

/** The archive files of all tenants, each tenant's in the order of its chain. */
export const listEveryArchive = (queries: Queries): Promise<EventArchiveRow[]> => queries.query(listAllArchives);

/** Files of a tenant that are abandoned, and were not there since. */
export const listLostArchives = (queries: Queries, { merchantId, mode }: Tenant): Promise<LostArchiveRow[]> =>
  queries.query(listLostArchivesOf, [merchantId, mode]);

/** The files that were ever abandoned, of all tenants. */
export const listEveryLostArchive = (queries: Queries): Promise<LostArchiveRow[]> => queries.query(listAllLostArchives);

/** Abandons a file. One that is abandoned already stays as it is. */
export async function recordLostArchive(database: Database, row: Omit<LostArchiveRow, 'found_at'>): Promise<void> {
  const { merchant_id, mode, number, reason, abandoned_by, abandoned_at } = row;
  await database.query(insertLostArchive, [merchant_id, mode, number, reason, abandoned_by, abandoned_at]);
}

/** A file that was abandoned is there, and is a file like the others. */
export async function recordFoundArchive(database: Database, lost: LostArchiveRow, at: Date): Promise<void> {
  await database.query(updateArchiveFound, [lost.merchant_id, lost.mode, lost.number, at]);
}

/** The sequence of the last event that is in a file; 0 where none is. */
export async function readArchivedTo(queries: Queries, tenant: Tenant): Promise<bigint> {
  const [row] = await queries.query(findArchivedTo, [tenant.merchantId, tenant.mode]);
  return row?.last_sequence ?? 0n;
}

/** Records a file that was written and read back. From here on its rows may be removed. */
export async function recordArchive(database: Database, row: EventArchiveRow): Promise<void> {
  await database.transaction((tx) => tx.run(...rowsFor(insertArchive, [row])));
}

export interface ArchivedLines {
  /** The lines as they are in the file, in order. */
  lines: readonly string[];
  /** How many of them have a key. */
  keys: number;
  /** The sequence of the last one. */
  upTo: bigint;
}

/**
 * Removes the rows of these lines, which come next in the file, and records how far the file is removed, in one
 * transaction. It takes no lock of the books: nobody writes rows that are so old.
 * @returns false where another process is removing them
 * @throws Error where a row is not what the file says: then it stays, and so does all that follows
 */
export function removeLines(
  database: Database,
  { merchant_id, mode, number, removed_to }: EventArchiveRow,
  { lines, keys, upTo }: ArchivedLines,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [locked] = await tx.query(lockArchive, [merchant_id, mode, number]);
    if (locked?.removed_to !== removed_to) return false;
    const [gone] = await tx.query(removeArchived, [merchant_id, mode, arrayOf('json', lines)]);
    if (gone?.events !== BigInt(lines.length) || gone.keys !== BigInt(keys)) {
      throw new Error(
        `archive ${number} of ${merchant_id} ${mode}: of ${lines.length} events and ${keys} keys up to ${upTo}, ${gone?.events} and ${gone?.keys} are what the file says`,
      );
    }
    await tx.query(updateRemovedTo, [merchant_id, mode, number, upTo]);
    return true;
  });
}
