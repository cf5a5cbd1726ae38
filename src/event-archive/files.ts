import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';

/** Lines that are handed on at once. */
const LINES_AT_ONCE = 1_000;
/** Lines of a file may be as long as an event is; one that has no end is no line of ours. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** What a file is known by. */
export interface FileSeal {
  file_bytes: bigint;
  file_hash: string;
}

export interface WrittenFile extends FileSeal {
  /** Of the lines, before they were compressed. */
  content_hash: string;
}

/** The file is not what it should be, or cannot be read: the sentence says which and why. */
export class ArchiveFileError extends Error {
  /** Whether it was written: then it has to be brought back. */
  readonly wasWritten: boolean;

  constructor(message: string, wasWritten = true) {
    super(message);
    this.wasWritten = wasWritten;
  }
}

/**
 * Writes lines into a new file of the directory, compressed, a piece at a time. It has its name once all of it is on the
 * disk: what a crash leaves behind ends with `.part`, and a disk that is full leaves nothing.
 * @param pieces some lines each
 * @throws ArchiveFileError where the disk does not take it
 */
export async function writeFileOf(
  directory: string,
  name: string,
  pieces: AsyncIterable<readonly string[]>,
): Promise<WrittenFile> {
  try {
    return await write(directory, name, pieces);
  } catch (error) {
    const { code = '', syscall, message } = error as NodeJS.ErrnoException;
    // What the database could not give has its own errors.
    if (!OF_THE_DISK.has(code) || syscall === 'connect') throw error;
    throw new ArchiveFileError(`${name} cannot be written: ${message}`, false);
  }
}

const OF_THE_DISK = new Set(['EACCES', 'EDQUOT', 'EEXIST', 'EIO', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

async function write(directory: string, name: string, pieces: AsyncIterable<readonly string[]>): Promise<WrittenFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const content = createHash('sha256');
  const written = createHash('sha256');
  let bytes = 0n;
  async function* texts() {
    for await (const lines of pieces) {
      const text = lines.map((line) => `${line}\n`).join('');
      content.update(text);
      yield text;
    }
  }
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      written.update(chunk);
      bytes += BigInt(chunk.length);
      yield chunk;
    }
  }
  const part = join(directory, `${name}.part`);
  const file = await open(part, 'wx', 0o600);
  try {
    await pipeline(Readable.from(texts()), createZstdCompress(), (chunks: AsyncIterable<Buffer>) =>
      file.writeFile(counted(chunks)),
    );
    await file.sync();
  } catch (error) {
    // What it takes of a full disk, the next attempt would miss, and so would everybody else there.
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await rename(part, join(directory, name));
  await syncDirectory(directory);
  return { file_bytes: bytes, file_hash: written.digest('hex'), content_hash: content.digest('hex') };
}

/** A name is on the disk with its directory. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @throws ArchiveFileError where the file is not byte for byte the one that was sealed */
export async function requireSealed(
  directory: string,
  name: string,
  { file_bytes, file_hash }: FileSeal,
): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0n;
  try {
    for await (const chunk of createReadStream(join(directory, name))) {
      hash.update(chunk as Buffer);
      bytes += BigInt((chunk as Buffer).length);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ArchiveFileError(code === 'ENOENT' ? `${name} is missing` : `${name} cannot be read: ${message}`);
  }
  if (bytes !== file_bytes) throw new ArchiveFileError(`${name} has ${bytes} bytes and was written with ${file_bytes}`);
  if (hash.digest('hex') !== file_hash)
    throw new ArchiveFileError(`${name} is not what was written: its hash is another one`);
}

/** Whether there is a file of this name, whatever is in it. */
export const isThere = (directory: string, name: string): Promise<boolean> =>
  access(join(directory, name)).then(
    () => true,
    () => false,
  );

/** Whether the file is there, byte for byte as it was written. */
export async function isSealed(directory: string, archive: FileSeal & { file_name: string }): Promise<boolean> {
  try {
    await requireSealed(directory, archive.file_name, archive);
    return true;
  } catch (error) {
    if (error instanceof ArchiveFileError) return false;
    throw error;
  }
}

/**
 * The lines of a file, some at a time.
 * @throws ArchiveFileError where it cannot be unpacked, or what is in it has another hash
 */
export async function* linesOf(directory: string, name: string, contentHash: string): AsyncGenerator<string[]> {
  const content = createHash('sha256');
  let rest = '';
  let lines: string[] = [];
  const unpacked = createZstdDecompress();
  const source = pipeline(createReadStream(join(directory, name)), unpacked);
  source.catch(() => undefined);
  try {
    for await (const text of unpacked.setEncoding('utf8')) {
      content.update(text as string);
      const parts = (rest + (text as string)).split('\n');
      rest = parts.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw new Error('a line has no end');
      for (const line of parts) {
        lines.push(line);
        if (lines.length < LINES_AT_ONCE) continue;
        yield lines;
        lines = [];
      }
    }
    await source;
  } catch (error) {
    throw new ArchiveFileError(`${name} cannot be unpacked: ${(error as Error).message}`);
  }
  if (lines.length > 0) yield lines;
  if (rest !== '' || content.digest('hex') !== contentHash) {
    throw new ArchiveFileError(`${name} is not what was written: what is in it has another hash`);
  }
}
