import { randomBytes, randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** The nil UUID (RFC 9562): before every id, and nobody's. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Random words fetched at once: asking the system for each id would cost more than making it. */
const pool = new Uint32Array(1024);
let used = pool.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const word = pool[used] as number;
    used += 1;
    return word;
  },
});

/** The text of an id is written here: joining letters would make a string for each. */
const letters = Buffer.alloc(36, '-');
const DIGITS = Buffer.from('0123456789abcdef');
/** The position of each of the 16 bytes in it. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** A new UUIDv7: sorts by time, made by the application so that the same schema can be distributed. */
export function newId(): string {
  const { bytes } = generator.generate();
  for (let at = 0; at < 16; at += 1) {
    const byte = bytes[at] as number;
    const place = PLACES[at] as number;
    letters[place] = DIGITS[byte >>> 4] as number;
    letters[place + 1] = DIGITS[byte & 0xf] as number;
  }
  return letters.toString('latin1');
}

/** No id made from this time on is smaller: a UUIDv7 begins with its milliseconds. */
export function firstIdOf(moment: Date): string {
  const time = Math.max(moment.getTime(), 0).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** When a UUIDv7 was made, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** The UUID of these 32 hex digits without hyphens. @throws where they are anything else */
export function uuidOfHex(hex32: string): string {
  const uuid = hex32.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(uuid) || uuid === hex32) throw new Error('these are not the 32 hex digits of a UUID');
  return uuid;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The form of `requestIds`, as an expression of PostgreSQL. */
export const REQUEST_ID = '^[A-Za-z0-9_-]{8}-[0-9a-z]+$';

/** Ids of requests, cheap and unique: a random prefix for the process and a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
