import { DAY_MS } from '../clock.ts';
/**
 * PostgreSQL types that set-based statements take as arrays. `json` is JSON text in a `text` column: long, many quotes.
 */
export type ColumnType = 'uuid' | 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'date' | 'jsonb' | 'json';

export type ColumnValue = string | bigint | number | boolean | Date | null;

/** Types that have a binary form here. */
export type BinaryType = Exclude<ColumnType, 'jsonb'>;

/** PostgreSQL's oid of each; JSON is text until it is cast. */
const OIDS: Record<BinaryType, number> = {
  uuid: 2950,
  text: 25,
  json: 25,
  bigint: 20,
  integer: 23,
  boolean: 16,
  timestamptz: 1184,
  date: 1082,
};

const IS_NULL = -1;
/** From 1970 to 2000, where PostgreSQL begins to count microseconds. */
const EPOCH_MS = 946_684_800_000;
const TWO_TO_32 = 4_294_967_296;
const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);
/** The most bytes of a value other than text, with its length. */
export const FIXED_BYTES = 20;
/** Texts up to this length are written by a loop: the call of a native function would take longer. */
const SHORT = 48;

const FIRST_BYTES = 256 * 1024;
/** Memory beyond this, which a file or an archive needed, is released. */
const KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Values are written here before they are sent; it grows to the largest group. Nothing is awaited while they are
 * written.
 */
export let scratch = Buffer.allocUnsafeSlow(FIRST_BYTES);
/** The same bytes: `writeBigInt64BE` would make a bigint of each half. */
let numbers = new DataView(scratch.buffer);

function use(buffer: Buffer): void {
  scratch = buffer as typeof scratch;
  numbers = new DataView(scratch.buffer);
}

/** Ensures that so many bytes can be written from there on. What was written stays. */
export function ensureCapacity(at: number, bytes: number): void {
  if (at + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, at + bytes));
  scratch.copy(larger, 0, 0, at);
  use(larger);
}

/** What was written, as a buffer of its own: the socket may take it later. */
function writtenUpTo(end: number): Buffer {
  const made = Buffer.from(scratch.subarray(0, end));
  if (scratch.length > KEPT_BYTES) use(Buffer.allocUnsafeSlow(FIRST_BYTES));
  return made;
}

/** Bytes that are lent until they have been sent. */
export interface Lent {
  readonly bytes: Buffer;
  /** Nobody reads them any more: they may be overwritten. If it is never called, they are garbage like any other. */
  release(): void;
}

/** Less than this is copied, so that a single row does not keep the memory of a group. */
const LENT_BYTES = 32 * 1024;
/** The most memory that is kept for reuse: the rows of two groups. */
const SPARE_BYTES = 4 * 1024 * 1024;
const idleScratches: (typeof scratch)[] = [];
let spareBytes = 0;

/**
 * The same without a copy, for long contents. Memory outside the heap is freed only by a full garbage collection, so
 * copies of a few seconds' groups would take some 20 MB under load.
 */
export function lentUpTo(end: number): Lent {
  if (end < LENT_BYTES || scratch.length > KEPT_BYTES) return { bytes: writtenUpTo(end), release: () => undefined };
  const lent = scratch;
  const next = idleScratches.pop();
  spareBytes -= next?.length ?? 0;
  use(next ?? Buffer.allocUnsafeSlow(FIRST_BYTES));
  return {
    bytes: lent.subarray(0, end),
    release() {
      if (spareBytes + lent.length > SPARE_BYTES) return;
      spareBytes += lent.length;
      idleScratches.push(lent);
    },
  };
}

/**
 * Writes a value with its length, as the rows of a COPY and arrays have it.
 * @param spare bytes that stay free after it.
 * @returns where it ends
 * @throws RangeError for a value that is none of this type
 */
export function written(type: ColumnType, value: ColumnValue, at: number, spare: number): number {
  if (value === null) return scratch.writeInt32BE(IS_NULL, at);
  switch (type) {
    case 'uuid':
      scratch.writeInt32BE(16, at);
      return uuidAt(String(value), at + 4);
    case 'bigint':
      if (typeof value !== 'bigint' || value > LARGEST || value < SMALLEST) throw notOfType(value, 'bigint');
      scratch.writeInt32BE(8, at);
      numbers.setBigInt64(at + 4, value);
      return at + 12;
    case 'integer':
      if (!Number.isInteger(value)) throw notOfType(value, 'integer');
      scratch.writeInt32BE(4, at);
      return scratch.writeInt32BE(value as number, at + 4);
    case 'boolean':
      if (typeof value !== 'boolean') throw notOfType(value, 'boolean');
      scratch.writeInt32BE(1, at);
      return scratch.writeUInt8(value ? 1 : 0, at + 4);
    case 'timestamptz':
      scratch.writeInt32BE(8, at);
      return momentAt(value as Date | string, at + 4);
    case 'date':
      scratch.writeInt32BE(4, at);
      return dayAt(String(value), at + 4);
    default:
      return textAt(String(value), at, spare);
  }
}

const notOfType = (value: ColumnValue, type: ColumnType) => new RangeError(`"${String(value)}" is no ${type}`);

const DIGITS = new Uint8Array(128).fill(0xff);
for (const [digit, [lower, upper]] of [...'0123456789abcdef']
  .map((letter) => [letter, letter.toUpperCase()])
  .entries()) {
  DIGITS[(lower as string).charCodeAt(0)] = digit;
  DIGITS[(upper as string).charCodeAt(0)] = digit;
}
const HYPHEN = 0x2d;

/** With its hyphens, or as digits alone. */
function uuidAt(uuid: string, at: number): number {
  const hyphened = uuid.length === 36;
  if (!hyphened && uuid.length !== 32) throw notOfType(uuid, 'uuid');
  let from = 0;
  let all = 0;
  for (let byte = 0; byte < 16; byte += 1) {
    if (hyphened && (byte === 4 || byte === 6 || byte === 8 || byte === 10)) {
      if (uuid.charCodeAt(from) !== HYPHEN) all = 0xff;
      from += 1;
    }
    const high = DIGITS[uuid.charCodeAt(from)] ?? 0xff;
    const low = DIGITS[uuid.charCodeAt(from + 1)] ?? 0xff;
    all |= high | low;
    scratch[at + byte] = (high << 4) | low;
    from += 2;
  }
  // Digits have four bits.
  if (all > 0xf) throw notOfType(uuid, 'uuid');
  return at + 16;
}

/** A `Date`, or ISO 8601 in UTC to the millisecond, which is how the service writes times. */
function momentAt(moment: Date | string, at: number): number {
  const text = typeof moment === 'string';
  const ms = text ? Date.parse(moment) : moment.getTime();
  const isExact = !text || (moment.length === 24 && moment.endsWith('Z'));
  if (!isExact || Number.isNaN(ms)) throw new RangeError(`"${String(moment)}" is no moment that can be written`);
  const microseconds = (ms - EPOCH_MS) * 1000;
  if (Math.abs(microseconds) > Number.MAX_SAFE_INTEGER) {
    numbers.setBigInt64(at, BigInt(ms - EPOCH_MS) * 1000n);
    return at + 8;
  }
  const high = Math.floor(microseconds / TWO_TO_32);
  scratch.writeInt32BE(high, at);
  return scratch.writeUInt32BE(microseconds - high * TWO_TO_32, at + 4);
}

/** `YYYY-MM-DD`. */
function dayAt(day: string, at: number): number {
  const ms = day.length === 10 ? Date.parse(day) : Number.NaN;
  // JavaScript reads the 30th of February as the 2nd of March.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day)
    throw new RangeError(`"${day}" is no day that can be written`);
  return scratch.writeInt32BE((ms - EPOCH_MS) / DAY_MS, at);
}

function textAt(text: string, at: number, spare: number): number {
  const { length } = text;
  // A character of a JavaScript string takes at most three bytes of UTF-8.
  ensureCapacity(at, 4 + length * 3 + spare);
  const from = at + 4;
  let end = -1;
  if (length <= SHORT) {
    let letter = 0;
    while (letter < length) {
      const code = text.charCodeAt(letter);
      if (code > 0x7f) break;
      scratch[from + letter] = code;
      letter += 1;
    }
    if (letter === length) end = from + length;
  }
  if (end === -1) end = from + scratch.write(text, from);
  scratch.writeInt32BE(end - from, at);
  return end;
}

/**
 * The header of an array: the number of dimensions, whether it has nulls, the type; and for its dimension the length
 * and the first index.
 */
const HEADER_BYTES = 20;

/**
 * Values as one parameter in PostgreSQL's binary format, which it reads in a third of the time of a text array.
 * @throws RangeError for a value that is none of this type
 */
export function binaryArray(type: BinaryType, values: readonly ColumnValue[]): Buffer {
  const { length } = values;
  ensureCapacity(0, HEADER_BYTES + FIXED_BYTES);
  let at = 0;
  for (const header of [1, 1, OIDS[type], length, 1]) at = scratch.writeInt32BE(header, at);
  let place = at;
  for (let index = 0; index < length; index += 1) {
    const value = values[index] as ColumnValue;
    // The rows of a group repeat values: merchant, mode, names. A repeated value is copied.
    if (index > 0 && value === values[index - 1]) {
      const size = at - place;
      ensureCapacity(at, size + FIXED_BYTES);
      scratch.copyWithin(at, place, at);
      place = at;
      at += size;
    } else {
      ensureCapacity(at, FIXED_BYTES);
      place = at;
      at = written(type, value, at, FIXED_BYTES);
    }
  }
  return writtenUpTo(at);
}
