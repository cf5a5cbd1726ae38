import { fileTooComplex } from './errors.ts';
import { MAX_SHARED_TEXT_BYTES, MAX_SHARED_TEXTS } from './limits.ts';

/** Many texts by number, as bytes in a few blocks: a million short strings of their own would take many times the room. */
export interface TextPool {
  /** @throws AppError `FILE_TOO_COMPLEX` when it is full. */
  add(text: string): void;
  /** Undefined for a number that no text has. */
  get(number: number): string | undefined;
}

const BLOCK_BYTES = 256 * 1024;

export function createTextPool(): TextPool {
  const blocks: Buffer[] = [];
  let room = 0;
  let total = 0;
  let count = 0;
  // Of each text: its block, its first byte there, and its length.
  let places = new Uint32Array(3 * 1_024);

  function take(bytes: number): { block: number; start: number } {
    if (bytes > room) {
      blocks.push(Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes)));
      room = Math.max(BLOCK_BYTES, bytes);
    }
    const block = blocks.length - 1;
    const start = (blocks[block] as Buffer).length - room;
    room -= bytes;
    return { block, start };
  }

  return {
    add(text) {
      const bytes = Buffer.byteLength(text);
      total += bytes;
      if (total > MAX_SHARED_TEXT_BYTES || count >= MAX_SHARED_TEXTS) {
        throw fileTooComplex('The workbook holds more text than a list of payouts would.');
      }
      if ((count + 1) * 3 > places.length) {
        const larger = new Uint32Array(places.length * 2);
        larger.set(places);
        places = larger;
      }
      const { block, start } = take(bytes);
      (blocks[block] ?? Buffer.alloc(0)).write(text, start);
      places.set([block, start, bytes], count * 3);
      count += 1;
    },
    get(number) {
      if (!Number.isInteger(number) || number < 0 || number >= count) return undefined;
      const [block = 0, start = 0, bytes = 0] = places.subarray(number * 3, number * 3 + 3);
      return blocks[block]?.toString('utf8', start, start + bytes) ?? '';
    },
  };
}
