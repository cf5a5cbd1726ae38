import { createHash, randomBytes } from 'node:crypto';
import { read } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { AppError } from './errors.ts';

/** Limits of a resource, such as memory, for all callers together and for one. */
export interface QuotaLimits {
  total: number;
  /** Less than the total: one caller never keeps all others out. */
  perCaller: number;
  /** How many may wait for their turn, and how many of them for one caller; more are refused. */
  maxWaiting: number;
  maxWaitingOfCaller: number;
}

interface Quota {
  /**
   * Takes `amount` of it, when it is the caller's turn. The returned function releases it; it may be called several
   * times.
   * @throws AppError 503 `UPLOADS_BUSY` when too many wait already, at once, or when a caller who has fewer
   *   comes.
   */
  take(caller: string, amount: number): Promise<() => void>;
}

/** Enough for the next list to be read, seldom enough that retries are no load of their own. */
const RETRY_AFTER_SECONDS = 10;

const uploadsBusy = () =>
  new AppError(
    'unavailable',
    'UPLOADS_BUSY',
    'Too many uploads are being taken in at the moment. Nothing was kept of this one; please send it again shortly.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

interface Waiting {
  caller: string;
  amount: number;
  round: number;
  go(): void;
  refuse(): void;
}

/**
 * Callers take turns: what one of them sends is of a later round each time, and who comes now is of the next round, so that
 * nobody waits for more than two of each other caller. Within a round it goes by arrival, except that nobody waits
 * behind a caller who has all that one caller may have. Where too many wait, the caller with the most of them loses the
 * last. An amount larger than one caller may have is taken when that caller has nothing else. Not a `createOwnerQueue`:
 * pieces have sizes, and a large one keeps its place.
 */
export function createQuota({ total, perCaller, maxWaiting, maxWaitingOfCaller }: QuotaLimits): Quota {
  const held = new Map<string, number>();
  let heldInAll = 0;
  /** By round. */
  const waiting: Waiting[] = [];
  let round = 0;

  const has = (caller: string) => held.get(caller) ?? 0;
  const hasOwnCapacity = ({ caller, amount }: Waiting) => has(caller) + Math.min(amount, perCaller) <= perCaller;
  const hasCapacity = ({ amount }: Waiting) => heldInAll + Math.min(amount, total) <= total;

  function hold({ caller, amount }: Waiting): () => void {
    held.set(caller, has(caller) + amount);
    heldInAll += amount;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      heldInAll -= amount;
      if (has(caller) === amount) held.delete(caller);
      else held.set(caller, has(caller) - amount);
      admitNext();
    };
  }

  function admitNext(): void {
    for (let at = 0; at < waiting.length; ) {
      const next = waiting[at] as Waiting;
      if (!hasOwnCapacity(next)) {
        at += 1;
        continue;
      }
      // A caller that needs much is not overtaken for ever by callers that need little.
      if (!hasCapacity(next)) return;
      waiting.splice(at, 1);
      round = Math.max(round, next.round);
      next.go();
    }
  }

  const ofCaller = (caller: string) => waiting.filter((one) => one.caller === caller);

  /** Whose wait ends where too many wait once `one` is there: of equals, the one that came now. */
  function tooMany(one: Waiting): Waiting | undefined {
    const own = ofCaller(one.caller);
    if (own.length > maxWaitingOfCaller) return one;
    if (waiting.length <= maxWaiting) return undefined;
    const others = [...new Set(waiting.map(({ caller }) => caller))].map(ofCaller);
    return others.reduce((most, some) => (some.length > most.length ? some : most), own).at(-1);
  }

  return {
    take(caller, amount) {
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          caller,
          amount,
          round: (ofCaller(caller).at(-1)?.round ?? round) + 1,
          go: () => resolve(hold(one)),
          refuse: () => reject(uploadsBusy()),
        };
        const behind = waiting.findIndex((other) => other.round > one.round);
        waiting.splice(behind === -1 ? waiting.length : behind, 0, one);
        admitNext();
        const refused = waiting.includes(one) ? tooMany(one) : undefined;
        if (refused === undefined) return;
        waiting.splice(waiting.indexOf(refused), 1);
        refused.refuse();
        admitNext();
      });
    },
  };
}

/** Bytes that were written to a file without a name. */
export interface Spooled {
  /** Open for reading, from any position. */
  fd: number;
  size: number;
  /** All of them, from the first on; the file is closed with the stream. */
  stream(): Readable;
  sha256: string;
  close(): Promise<void>;
}

/**
 * Writes a stream to disk and hashes it on the way. The file loses its name at once, so that nobody else can open it
 * and nothing is left of it when it is closed or the process is killed.
 * @throws `tooLarge` as soon as more than `maxBytes` have come.
 */
export async function spoolBytes(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Spooled> {
  const path = join(tmpdir(), `manilla-upload-${randomBytes(12).toString('hex')}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    const sum = createHash('sha256');
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      sum.update(chunk);
      await handle.writeFile(chunk);
    }
    return {
      fd: handle.fd,
      size,
      sha256: sum.digest('hex'),
      stream: () => handle.createReadStream({ start: 0 }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const readAt = promisify(read);
const PIECE_BYTES = 64 * 1024;

/**
 * The bytes of a file from its first one, also where it was read before. Not a stream: one that is abandoned would
 * close a file that is not its own.
 */
export async function* bytesOf(fd: number): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafeSlow(PIECE_BYTES), 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The whole content of a small file. */
export async function readSpooled({ fd, size }: Spooled): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(size);
  let position = 0;
  for await (const piece of bytesOf(fd)) position += piece.copy(content, position);
  return content;
}

const MEGABYTE = 1024 * 1024;

/**
 * Limits of the disk, for files that are being sent and for those that wait to be read. A list has 50 MB at most, so a
 * caller can have five or more on their way at once; a caller that sends slowly keeps a part of the disk and nothing
 * else.
 */
const DISK = { total: 1024 * MEGABYTE, perCaller: 256 * MEGABYTE, maxWaiting: 0, maxWaitingOfCaller: 0 };

/**
 * Limits of memory, for what is being read. Two lists are read at once, of two callers; six documents of a caller,
 * twelve in all. A list of 100,000 rows takes some seconds, so the last of those who wait has its turn within a minute
 * or so.
 */
const MEMORY = { total: 240 * MEGABYTE, perCaller: 120 * MEGABYTE, maxWaiting: 24, maxWaitingOfCaller: 12 };

/**
 * The memory for reading one list: a thread with its heap, the pieces on their way, and what is remembered of each row.
 */
export const LIST_MEMORY_BYTES = 120 * MEGABYTE;
/** A file in memory exists as it came, sealed or opened, and on its way from or to the database. */
export const COPIES_IN_MEMORY = 4;

export interface SpoolOptions {
  /** The length that the request states, where it does. */
  expectedBytes?: number | undefined;
  maxBytes: number;
  tooLarge: () => Error;
}

/** What uploads of all callers of this process may hold at once; a caller is a merchant, or the operator. */
export interface Uploads {
  /**
   * Writes a stream to disk.
   * @throws `tooLarge`; AppError 503 `UPLOADS_BUSY` when too much is on its way already, before anything of it is read.
   */
  spool(caller: string, bytes: AsyncIterable<Buffer>, options: SpoolOptions): Promise<Spooled>;
  /** Waits for so much memory; the returned function releases it. @throws AppError 503 `UPLOADS_BUSY`. */
  hold(caller: string, memoryBytes: number): Promise<() => void>;
  /** Runs work that takes so much memory, when there is capacity for it. @throws AppError 503 `UPLOADS_BUSY`. */
  holding<T>(caller: string, memoryBytes: number, work: () => Promise<T>): Promise<T>;
}

export function createUploads(): Uploads {
  const disk = createQuota(DISK);
  const memory = createQuota(MEMORY);
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
