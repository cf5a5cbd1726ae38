import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../../logger.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { giveToOwnerOf } from './server-user.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const LOOK_EVERY_MS = 60_000;

/** What the server of a cluster in `home` writes: warnings, and what ended it. */
export const serverLog = (home: string): string => join(home, 'postgres.log');

/**
 * Moves a log above 10 MB to `postgres.log.1`, over the one before. The server may be writing: it appends to the emptied file, and
 * what it says between the copy and the emptying is lost. The folder is the server's own user's: a link that it put there
 * leads this process, which may be root's, nowhere.
 * @throws EmbeddedPostgresError for a link in its place
 */
export async function turnServerLog(home: string): Promise<void> {
  const log = await open(serverLog(home), constants.O_RDWR | constants.O_NOFOLLOW).catch(unlessMissing);
  if (log === undefined) return;
  try {
    if ((await log.stat()).size <= MAX_BYTES) return;
    await copyTo(log, `${serverLog(home)}.1`);
    giveToOwnerOf(home, `${serverLog(home)}.1`);
    await log.truncate();
  } finally {
    await log.close();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ELOOP') throw new EmbeddedPostgresError(`${error.path} is a link, and not followed: remove it.`);
  if (error.code !== 'ENOENT') throw error;
}

async function copyTo(log: FileHandle, path: string): Promise<void> {
  await rm(path, { force: true });
  const copy = await open(path, 'wx', 0o600);
  await pipeline(log.createReadStream({ start: 0, autoClose: false }), copy.createWriteStream());
}

/**
 * Keeps the log short for as long as this process looks after the server: one that runs for a year must not fill the disk.
 * @returns what ends it
 */
export function keepServerLogShort(home: string, logger: Logger, everyMs = LOOK_EVERY_MS): () => void {
  let isTurning = false;
  const turn = async (): Promise<void> => {
    if (isTurning) return;
    isTurning = true;
    try {
      await turnServerLog(home);
    } catch (error) {
      logger.warn({ err: error }, 'the log of the embedded database cannot be turned');
    }
    isTurning = false;
  };
  const timer = setInterval(() => void turn(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
