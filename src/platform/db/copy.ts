import pg from 'pg';
import type { ColumnType, ColumnValue, SetStatement, Write } from './statement.ts';

/** The rows of one insert as a COPY: how PostgreSQL takes rows with the least work, and with one log record a page. */
export interface Copy {
  /** `copy table (columns) from stdin (format binary)`. */
  readonly text: string;
  /** Messages of PostgreSQL's protocol: all rows, and that they are all. */
  readonly messages: Buffer;
}

/** Message types of the protocol. */
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
/** What every binary COPY begins with: its signature, no flags, no extension. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** In place of the number of fields: no row follows. */
const NO_MORE = -1;
const IS_NULL = -1;
/** From 1970 to 2000, where PostgreSQL begins to count microseconds. */
const EPOCH_MS = 946_684_800_000;
const TWO_TO_32 = 4_294_967_296;
/** Bytes that a value other than text takes at most, with its length. */
const FIXED_BYTES = 20;
/** Texts up to here are written by a loop: the call of a native function would take longer. */
const SHORT = 48;

/** Rows are written here before they are sent; it grows to the largest group. Nothing waits while they are written. */
let scratch = Buffer.allocUnsafeSlow(256 * 1024);

function ensureCapacity(at: number, bytes: number): void {
  if (at + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, at + bytes));
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
}

/**
 * @param into an insert that says it is copied
 * @throws RangeError for a value that its column cannot hold: nothing of the rows was sent
 */
export function copyOf(into: SetStatement<never>, text: string, rows: readonly Write['row'][]): Copy {
  const { columns } = into;
  const before = new Array<ColumnValue>(columns.length);
  const places = new Int32Array(columns.length);
  const lengths = new Int32Array(columns.length);
  let at = 5 + SIGNATURE.copy(scratch, 5);
  for (const [row, values] of rows.entries()) {
    ensureCapacity(at, 2 + columns.length * FIXED_BYTES);
    at = scratch.writeInt16BE(columns.length, at);
    for (let column = 0; column < columns.length; column += 1) {
      const { name, type } = columns[column] as (typeof columns)[number];
      const value = values[name];
      if (value === undefined) throw new Error(`${into.name}: no value for column ${String(name)}`);
      const place = places[column] as number;
      const length = lengths[column] as number;
      places[column] = at;
      // The rows of a group repeat themselves: merchant, mode, names. What repeats is copied.
      if (row > 0 && value === before[column]) {
        ensureCapacity(at, length + columns.length * FIXED_BYTES);
        scratch.copyWithin(at, place, place + length);
        at += length;
        continue;
      }
      at = written(type, value, at, columns.length * FIXED_BYTES);
      lengths[column] = at - (places[column] as number);
      before[column] = value;
    }
  }
  ensureCapacity(at, FIXED_BYTES);
  at = scratch.writeInt16BE(NO_MORE, at);
  scratch[0] = COPY_DATA;
  scratch.writeInt32BE(at - 1, 1);
  scratch[at] = COPY_DONE;
  at = scratch.writeInt32BE(4, at + 1);
  // A copy of its own: the socket may take it later.
  return { text, messages: Buffer.from(scratch.subarray(0, at)) };
}

/** @param spare bytes that stay free behind it. @returns where it ends */
function written(type: ColumnType, value: ColumnValue, at: number, spare: number): number {
  if (value === null) return scratch.writeInt32BE(IS_NULL, at);
  switch (type) {
    case 'uuid':
      scratch.writeInt32BE(16, at);
      return uuidAt(String(value), at + 4);
    case 'bigint':
      scratch.writeInt32BE(8, at);
      return scratch.writeBigInt64BE(value as bigint, at + 4);
    case 'integer':
      scratch.writeInt32BE(4, at);
      return scratch.writeInt32BE(value as number, at + 4);
    case 'boolean':
      scratch.writeInt32BE(1, at);
      return scratch.writeUInt8(value === true ? 1 : 0, at + 4);
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

const DIGITS = new Uint8Array(128).fill(0xff);
for (const [digit, [lower, upper]] of [...'0123456789abcdef'].map((lower) => [lower, lower.toUpperCase()]).entries()) {
  DIGITS[(lower as string).charCodeAt(0)] = digit;
  DIGITS[(upper as string).charCodeAt(0)] = digit;
}
const HYPHEN = 0x2d;

function uuidAt(uuid: string, at: number): number {
  if (uuid.length !== 36) throw new RangeError(`"${uuid}" is no UUID`);
  let from = 0;
  let all = 0;
  for (let byte = 0; byte < 16; byte += 1) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) {
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
  if (all > 0xf) throw new RangeError(`"${uuid}" is no UUID`);
  return at + 16;
}

/** A `Date`, or ISO 8601 in UTC to the millisecond, which is how the service writes moments. */
function momentAt(moment: Date | string, at: number): number {
  const text = typeof moment === 'string';
  const ms = text ? Date.parse(moment) : moment.getTime();
  const isExact = !text || (moment.length === 24 && moment.endsWith('Z'));
  if (!isExact || Number.isNaN(ms)) throw new RangeError(`"${String(moment)}" is no moment that can be written`);
  const microseconds = (ms - EPOCH_MS) * 1000;
  const high = Math.floor(microseconds / TWO_TO_32);
  scratch.writeInt32BE(high, at);
  return scratch.writeUInt32BE(microseconds - high * TWO_TO_32, at + 4);
}

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD`. */
function dayAt(day: string, at: number): number {
  const ms = day.length === 10 ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(ms)) throw new RangeError(`"${day}" is no day that can be written`);
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
 * Sends the rows behind the statement without waiting for the server to ask for them: where the statement fails, the
 * server passes over them.
 */
class CopyQuery extends pg.Query {
  readonly #copy: Copy;
  /** As the driver reads it. */
  query_timeout: number | undefined;

  constructor(copy: Copy, deadlineMs: number | undefined) {
    super({ text: copy.text });
    this.#copy = copy;
    this.query_timeout = deadlineMs;
  }

  override submit = (connection: pg.Connection): void => {
    const { stream } = connection;
    stream.cork();
    connection.query(this.#copy.text);
    stream.write(this.#copy.messages);
    stream.uncork();
  };

  /** The driver would answer that there are no rows. */
  handleCopyInResponse(): void {}
}

type Send = (query: pg.Query, values: undefined, callback: (error: Error | undefined) => void) => void;

/** @param deadlineMs as for `queriesOn`. */
export function runCopy(client: pg.Pool | pg.ClientBase, copy: Copy, deadlineMs: number | undefined): Promise<void> {
  // The driver's types do not know of a query with a callback beside it.
  const send = client.query.bind(client) as unknown as Send;
  return new Promise((resolve, reject) => {
    send(new CopyQuery(copy, deadlineMs), undefined, (error) => (error ? reject(error) : resolve()));
  });
}
