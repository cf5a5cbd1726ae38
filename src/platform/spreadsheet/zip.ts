import type { Readable } from 'node:stream';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { AppError } from '../errors.ts';
import { fileDamaged, fileKindUnsupported, fileTooComplex, inflatesTooFar } from './errors.ts';
import { MAX_INFLATED_BYTES, MAX_ZIP_ENTRIES, MAX_ZIP_NAME } from './limits.ts';

/** The parts of a workbook, unpacked on demand. */
export interface Zip {
  has(name: string): boolean;
  /** The bytes of a part, unpacked as they are taken. @throws AppError beyond `MAX_INFLATED_BYTES`, of all parts together. */
  read(name: string): AsyncGenerator<Buffer>;
}

const DAMAGED = 'The workbook is damaged. Open it, save it again and upload that.';

/** @throws AppError when the file is no zip that can be trusted: encrypted, crowded or broken. */
export async function openZip(fd: number): Promise<Zip> {
  const zip = await orDamaged(() => fromFdPromise(fd, { lazyEntries: true, autoClose: false }));
  const entries = await orDamaged(() => listEntries(zip));
  let inflated = 0;
  return {
    has: (name) => entries.has(name),
    async *read(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw fileDamaged(DAMAGED);
      const stream: Readable = await orDamaged(() => zip.openReadStreamPromise(entry));
      try {
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          inflated += chunk.length;
          if (inflated > MAX_INFLATED_BYTES) throw inflatesTooFar();
          yield chunk;
        }
      } catch (error) {
        throw error instanceof AppError ? error : fileDamaged(DAMAGED);
      } finally {
        stream.destroy();
      }
    },
  };
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ZIP_ENTRIES) throw fileTooComplex('The workbook has too many parts.');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.length > MAX_ZIP_NAME) throw fileTooComplex('The workbook has a part with too long a name.');
    if (entry.isEncrypted()) throw fileKindUnsupported('The file is protected by a password.');
    if (entries.size >= MAX_ZIP_ENTRIES) throw fileTooComplex('The workbook has too many parts.');
    if (entries.has(entry.fileName)) throw fileDamaged(DAMAGED);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function orDamaged<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw error instanceof AppError ? error : fileDamaged(DAMAGED);
  }
}
