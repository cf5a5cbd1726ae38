import { createHash, randomBytes } from 'node:crypto';
import { read } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Bytes that were put aside in a file without a name. */
export interface Spooled {
  /** Open for reading, from any place. */
  fd: number;
  size: number;
  /** All of them, from the first on; the file is closed when the stream is. */
  stream(): Readable;
  sha256: string;
  close(): Promise<void>;
}

/**
 * Puts a stream aside on disk and hashes it on the way. The file loses its name at once, so nobody else can open it and
 * nothing is left of it when it is closed or the process is killed.
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

/** A file from its first byte, whoever read before. Not as a stream: one that is given up closes a file that is not its own. */
export async function* bytesOf(fd: number): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafeSlow(PIECE_BYTES), 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A file as a whole, for one that is small. */
export async function readSpooled({ fd, size }: Spooled): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(size);
  let position = 0;
  for await (const piece of bytesOf(fd)) position += piece.copy(content, position);
  return content;
}
