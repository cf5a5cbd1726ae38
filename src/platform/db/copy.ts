import pg from 'pg';
import type { SetStatement, Write } from './statement.ts';
import { type ColumnValue, ensureCapacity, FIXED_BYTES, type Lent, lentUpTo, scratch, written } from './values.ts';

/** The rows of one insert as a COPY: PostgreSQL's cheapest way to insert rows, with one log record for each page. */
export interface Copy {
  /** `copy table (columns) from stdin (format binary)`. */
  readonly text: string;
  /** Messages of PostgreSQL's protocol: all rows, and the end of the data. */
  readonly messages: Lent;
}

/** Message types of the protocol. */
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
/** The beginning of every binary COPY: its signature, no flags, no extension. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** In place of the number of fields: no row follows. */
const NO_MORE = -1;

/**
 * @param into an insert with `copyText`
 * @throws RangeError for a value that its column cannot hold: no row was sent then
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
      // The rows of a group repeat values: merchant, mode, names. A repeated value is copied.
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
  return { text, messages: lentUpTo(at) };
}

/**
 * Sends the rows after the statement without waiting for the server to ask for them: where the statement fails, the
 * server skips them.
 */
class CopyQuery extends pg.Query {
  readonly #copy: Copy;
  /** A field that the driver reads. */
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
    const { bytes, release } = this.#copy.messages;
    // After a connection broke, nobody knows what it still reads.
    stream.write(bytes, (error) => {
      if (!error) release();
    });
    stream.uncork();
  };

  /** By default the driver would answer that there are no rows. */
  handleCopyInResponse(): void {}
}

type Send = (query: pg.Query, values: undefined, callback: (error: Error | undefined) => void) => void;

/** @param deadlineMs as for `queriesOn`. */
export function runCopy(client: pg.ClientBase, copy: Copy, deadlineMs: number | undefined): Promise<void> {
  // The driver's types do not have a query with a callback.
  const send = client.query.bind(client) as unknown as Send;
  return new Promise((resolve, reject) => {
    send(new CopyQuery(copy, deadlineMs), undefined, (error) => (error ? reject(error) : resolve()));
  });
}
