import { createHash, randomBytes } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

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
 * nothing is left of it when the process is killed.
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
      await handle.write(chunk);
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
