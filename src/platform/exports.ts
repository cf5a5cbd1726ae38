import { Readable } from 'node:stream';
import { keptByOwner } from './cache.ts';
import { type Database, type Queries, sqlState } from './db/database.ts';
import { readWhileWanted } from './db/while-wanted.ts';
import { AppError } from './errors.ts';
import type { List } from './lists/list.ts';
import { everyRow } from './lists/read-list.ts';
import { createOwnerQueue, type OwnerQueue } from './owner-queue.ts';
import { type CsvColumn, csvHeader, csvLines } from './spreadsheet/write-csv.ts';
import { type Spooled, spoolBytes } from './uploads.ts';

/** Files that one process reads from the database at once: as many as there are connections for it. */
const AT_ONCE = 2;
/** Files that one owner may wait for, and may have open. A person downloads one; a program that wants more asks again. */
const MAX_OF_OWNER = 4;
/** A batch of 100,000 items takes 40 MB, a million entries of the audit log 400 MB. */
const MAX_BYTES = 1024 ** 3;
/** Files that wait on disk to be read, of all owners and of one: a client that reads slowly neither fills the disk nor keeps others out. */
const MAX_BYTES_OPEN = 4 * MAX_BYTES;
const MAX_BYTES_OF_OWNER = 2 * MAX_BYTES;
/**
 * Beyond what all may have open, a quarter as much is for owners who have little, a 64th part of it each: two owners of
 * large files have it all, and refuse nobody else a small one.
 */
const KEPT_SHARE = 4;
const LITTLE_SHARE = 64;
/** The snapshot of a file keeps old row versions for as long as this, also those of busy wallets. */
const MAX_READING_MS = 120_000;
interface ExportLimits {
  maxBytes: number;
  maxReadingMs: number;
  maxBytesOpen?: number;
  maxBytesOfOwner?: number;
}
const LIMITS: ExportLimits = { maxBytes: MAX_BYTES, maxReadingMs: MAX_READING_MS };
/** Rows of a list that are read and written at once. */
export const PAGE_ROWS = 2_000;

/** A file for a client that may read it slowly: nothing of the database is held meanwhile. The caller closes it. */
export interface ExportFile extends Pick<Spooled, 'stream' | 'close'> {
  /** Undefined where it is read as it is sent. */
  size: number | undefined;
}

const exportsBusy = () =>
  new AppError('unavailable', 'EXPORTS_BUSY', 'Your other downloads have to end first. Please try again shortly.', {
    retryAfterSeconds: 10,
  });

const tooMuchOpen = () =>
  new AppError(
    'unavailable',
    'EXPORTS_BUSY',
    'Too many large downloads are on their way at the moment. Please try again shortly.',
    { retryAfterSeconds: 60 },
  );

const exportTooLarge = () =>
  new AppError('refused', 'EXPORT_TOO_LARGE', 'This is more than one file holds. Choose a shorter period.');

/** What limits the files that are read from one database. */
interface ExportQueues {
  /** For whole files. */
  files: OwnerQueue;
  /** For pieces of files that are read as they are sent. */
  pieces: OwnerQueue;
  /** Files that wait, are read or are being sent, by owner, and what they have on disk. */
  open: Map<string, { files: number; bytes: number }>;
  /** What all owners have on disk. */
  bytes: number;
}

const queuesOf = keptByOwner<Database, ExportQueues>(() => ({
  files: createOwnerQueue({ atOnce: AT_ONCE }),
  pieces: createOwnerQueue({ atOnce: AT_ONCE }),
  open: new Map(),
  bytes: 0,
}));

/** The place of one file of an owner. */
interface Place {
  /** @throws AppError 503 `EXPORTS_BUSY` where the files that are open come to too much */
  take(bytes: number, limits: ExportLimits): void;
  /** What was taken is free: the file is gone. */
  readonly free: () => void;
  /** Frees the place too. To be called once. */
  readonly leave: () => void;
}

/** A place for one more file of an owner. @throws AppError 503 `EXPORTS_BUSY` */
function takePlace(queues: ExportQueues, owner: string): Place {
  const { open } = queues;
  const own = open.get(owner) ?? { files: 0, bytes: 0 };
  if (own.files >= MAX_OF_OWNER) throw exportsBusy();
  own.files += 1;
  open.set(owner, own);
  let taken = 0;
  const count = (bytes: number) => {
    taken += bytes;
    own.bytes += bytes;
    queues.bytes += bytes;
  };
  const free = () => count(-taken);
  return {
    take(bytes, { maxBytesOpen = MAX_BYTES_OPEN, maxBytesOfOwner = MAX_BYTES_OF_OWNER }) {
      count(bytes);
      if (own.bytes > maxBytesOfOwner) throw exportsBusy();
      const hasLittle = own.bytes <= maxBytesOpen / LITTLE_SHARE;
      if (queues.bytes > maxBytesOpen + (hasLittle ? maxBytesOpen / KEPT_SHARE : 0)) throw tooMuchOpen();
    },
    free,
    leave: () => {
      free();
      own.files -= 1;
      if (own.files === 0) open.delete(owner);
    },
  };
}

/**
 * A place for a file that is in memory until the client has read it.
 * @returns what frees it, to be called once
 * @throws AppError 503 `EXPORTS_BUSY`
 */
export const takeDownload = (database: Database, owner: string): (() => void) =>
  takePlace(queuesOf(database), owner).leave;

/** The longest time of one statement of a file. */
const MAX_STATEMENT_MS = 30_000;

/**
 * Reads a file of many rows in one snapshot, as fast as the database gives them, and writes it to disk: however slowly
 * the client reads it then, no connection and no snapshot waits for it. Its connection is not one of those that move
 * money.
 * @param owner whose other files it waits for
 * @param lines reads through the queries that it is given
 * @param gone aborted where the client has gone away: nothing more is read then
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`; before a byte of the file is sent
 */
export async function makeExport(
  database: Database,
  owner: string,
  lines: (queries: Queries) => AsyncIterable<string>,
  { gone, limits = LIMITS }: { gone: AbortSignal; limits?: ExportLimits },
): Promise<ExportFile> {
  const queues = queuesOf(database);
  const place = takePlace(queues, owner);
  let file: Spooled | undefined;
  try {
    await queues.files(owner, () =>
      database.reading.snapshot(
        async (queries) => {
          // The snapshot may have to be read again.
          await file?.close();
          place.free();
          stopIfGone(gone);
          const until = performance.now() + limits.maxReadingMs;
          const how = { beside: database.reading, maxMs: MAX_STATEMENT_MS, gone };
          file = await readWhileWanted(queries, how, (limited) =>
            spoolBytes(inTime(lines(limited), { until, gone, limits, place }), limits.maxBytes, exportTooLarge),
          );
        },
        { aside: true },
      ),
    );
    const { stream, size, close } = file as unknown as Spooled;
    return { stream, size, close: () => close().finally(place.leave) };
  } catch (error) {
    place.leave();
    await file?.close();
    throw sqlState(error) === '57014' ? exportTooLarge() : error;
  }
}

/**
 * A file of rows that never change, read as it is sent, however long it is. It has a place among the files of its
 * owner, and its pieces are read by turns: many at once would fill the memory with pieces that no client reads, and
 * keep others from the database.
 * @param pieces small ones: some of each open file are in memory
 * @throws AppError 503 `EXPORTS_BUSY`
 */
export function streamExport(database: Database, owner: string, pieces: AsyncGenerator<string>): ExportFile {
  const queues = queuesOf(database);
  const { leave } = takePlace(queues, owner);
  async function* read(): AsyncGenerator<string> {
    for (;;) {
      const piece = await queues.pieces(owner, () => pieces.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  }
  return { stream: () => Readable.from(read()), size: undefined, close: () => Promise.resolve(leave()) };
}

/**
 * A whole list as CSV, in its order.
 * @param owner whose other files it waits for
 * @param shownOf what the columns show of the rows read
 * @throws AppError 503 `EXPORTS_BUSY`, 422 `EXPORT_TOO_LARGE`
 */
export function exportList<Row, Shown>(
  database: Database,
  owner: string,
  { list, columns, shownOf }: ListedColumns<Row, Shown>,
  gone: AbortSignal,
): Promise<ExportFile> {
  async function* lines(queries: Queries) {
    yield csvHeader(columns);
    for await (const rows of everyRow(queries, list, PAGE_ROWS)) yield csvLines(columns, await shownOf(rows, queries));
  }
  return makeExport(database, owner, lines, { gone });
}

interface ListedColumns<Row, Shown> {
  list: List<Row>;
  columns: readonly CsvColumn<Shown>[];
  shownOf(rows: Row[], queries: Queries): Shown[] | Promise<Shown[]>;
}

/** Nobody sees this refusal: it ends the reading. */
function stopIfGone(gone: AbortSignal | undefined): void {
  if (gone?.aborted === true) throw exportsBusy();
}

interface InTime {
  until: number;
  gone: AbortSignal | undefined;
  limits: ExportLimits;
  place: Place;
}

async function* inTime(lines: AsyncIterable<string>, { until, gone, limits, place }: InTime): AsyncGenerator<Buffer> {
  for await (const piece of lines) {
    stopIfGone(gone);
    if (performance.now() > until) throw exportTooLarge();
    const bytes = Buffer.from(piece);
    place.take(bytes.length, limits);
    yield bytes;
  }
}
