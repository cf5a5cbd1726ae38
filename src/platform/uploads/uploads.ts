import { createAllowance } from '../queues/allowance.ts';
import { type Spooled, spoolBytes } from './spool-bytes.ts';

const MEGABYTE = 1024 * 1024;

/**
 * Of the disk, for what is being sent and for what waits to be read. A list has 50 MB at most, so a caller has five or more
 * on their way at once; who sends slowly keeps a part of the disk and nothing else.
 */
const DISK = { total: 1024 * MEGABYTE, perCaller: 256 * MEGABYTE, maxWaiting: 0, maxWaitingOfCaller: 0 };

/**
 * Of memory, for what is being read. Two lists are read at once, of two callers; six documents of a caller, twelve in all.
 * A list of 100,000 rows takes some seconds, so the last of those who wait has its turn within a minute or so.
 */
const MEMORY = { total: 240 * MEGABYTE, perCaller: 120 * MEGABYTE, maxWaiting: 24, maxWaitingOfCaller: 12 };

/** What reading one list takes: a thread with its heap, the pieces on their way, and what is remembered of each row. */
export const LIST_MEMORY_BYTES = 120 * MEGABYTE;
/** A file that is in memory as a whole is there as it came, sealed or opened, and on its way from or to the database. */
export const COPIES_IN_MEMORY = 4;

export interface SpoolOptions {
  /** How long it says that it is, where it does. */
  expectedBytes?: number | undefined;
  maxBytes: number;
  tooLarge: () => Error;
}

/** What uploads of all callers of this process may hold at once; a caller is a merchant, or the operator. */
export interface Uploads {
  /**
   * Puts a stream aside on disk. @throws `tooLarge`; AppError 503 `UPLOADS_BUSY` when too much is on its way already,
   *   before anything of it is read.
   */
  spool(caller: string, bytes: AsyncIterable<Buffer>, options: SpoolOptions): Promise<Spooled>;
  /** Waits for so much memory; the function that comes gives it back. @throws AppError 503 `UPLOADS_BUSY`. */
  hold(caller: string, memoryBytes: number): Promise<() => void>;
  /** Does what takes so much memory, when there is room for it. @throws AppError 503 `UPLOADS_BUSY`. */
  holding<T>(caller: string, memoryBytes: number, work: () => Promise<T>): Promise<T>;
}

export function createUploads(): Uploads {
  const disk = createAllowance(DISK);
  const memory = createAllowance(MEMORY);
  return {
    async spool(caller, bytes, { expectedBytes = Number.POSITIVE_INFINITY, maxBytes, tooLarge }) {
      const release = await disk.take(caller, Math.min(expectedBytes, maxBytes));
      try {
        const file = await spoolBytes(bytes, maxBytes, tooLarge);
        return {
          ...file,
          async close() {
            await file.close();
            release();
          },
        };
      } catch (error) {
        release();
        throw error;
      }
    },
    hold: (caller, memoryBytes) => memory.take(caller, memoryBytes),
    async holding(caller, memoryBytes, work) {
      const release = await memory.take(caller, memoryBytes);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
