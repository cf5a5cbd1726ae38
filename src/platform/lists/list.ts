import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { isUuid } from '../ids.ts';

/** What a row is sorted by, as JSON has it: times in milliseconds, int8 as text. */
export type KeyPart = string | number;

/** A position in a list: behind or before the row with this key. */
interface Cursor {
  /** Fingerprint of the list and its filter: a position means nothing in another one. */
  print: string;
  key: readonly KeyPart[];
  /** Milliseconds: where the list began in time when the walk did; null where somebody said so, or it has no beginning. */
  since: number | null;
}

/** Begins every cursor, so that another layout can be distinguished from this one. */
const VERSION = '1';
export const MAX_CURSOR_LENGTH = 1_000;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** Enough to find a mistake. It is no protection: a caller that invents a position may ask for its rows anyway. */
const PRINT_LENGTH = 8;

export const cursorInvalid = () =>
  new AppError('invalid', 'CURSOR_INVALID', 'This is no cursor of ours. Begin again without one.');

export const cursorMismatch = () =>
  new AppError(
    'invalid',
    'CURSOR_MISMATCH',
    'The cursor is of another list or of another filter. Send the filter that it came with, or begin again without it.',
  );

/** @param of whose list it is and by which filter, in any order that stays the same */
export function printOf(name: string, of: readonly unknown[]): string {
  const text = JSON.stringify([name, of], (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return hash('sha256', text, 'base64url').slice(0, PRINT_LENGTH);
}

export function encodeCursor({ print, since, key }: Cursor): string {
  return Buffer.from(`${VERSION}${JSON.stringify([print, since, ...key])}`).toString('base64url');
}

/** @throws AppError 400 `CURSOR_INVALID` for anything that `encodeCursor` does not make. */
export function decodeCursor(text: string): Cursor {
  if (text.length > MAX_CURSOR_LENGTH || !BASE64URL.test(text)) throw cursorInvalid();
  const plain = Buffer.from(text, 'base64url').toString('utf8');
  const parts = plain.startsWith(VERSION) ? parsed(plain.slice(VERSION.length)) : undefined;
  if (!Array.isArray(parts)) throw cursorInvalid();
  const [print, since, ...key] = parts as unknown[];
  const isTime = since === null || Number.isSafeInteger(since);
  if (typeof print !== 'string' || !isTime || !key.every(isKeyPart)) throw cursorInvalid();
  return { print, since: since as number | null, key };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKeyPart(value: unknown): value is KeyPart {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Rows of a list are counted up to here and no further: it takes some 20 ms, and nobody pages deeper by number. */
export const MAX_COUNTED = 100_000;

/** Rows that a search looks at for what no index has: some tenths of a second. It says how far back it came. */
export const MAX_LOOKED_AT = 50_000;

/**
 * One thing that a list is sorted by. Times are of the application, so they have milliseconds and no less. What may be
 * null stands for the end: `coalesce(…, 'infinity')`, and null here.
 */
interface OrderKey<Row> {
  /** An expression over what the list reads from. */
  sql: string;
  type: 'uuid' | 'text' | 'integer' | 'bigint' | 'timestamptz';
  of: (row: Row) => string | number | bigint | Date | null;
}

/** A total order: the last key is no two rows' own. A key of a row does not change, or a walk may miss or repeat it. */
export interface ListOrder<Row> {
  direction: 'asc' | 'desc';
  keys: readonly OrderKey<Row>[];
}

/** What a cursor belongs to. */
export interface ListIdentity<Row> {
  name: string;
  /** Whose list, and by which filter. What moves with the clock is no part of it. */
  of: readonly unknown[];
  order: ListOrder<Row>;
  /** Where a list begins in time where the request named none. Its cursors keep it, so that no walk loses its end to the clock. */
  since?: Date | undefined;
}

/** A page by its number as SQL. */
export interface ListPage {
  /** Conditions and order. */
  tail: string;
  /** The rows of the page alone. */
  range: () => string;
  /** All rows up to its end, for each part where a list is put together from several. */
  upTo: () => string;
}

/** A list as SQL. Conditions are only those that are asked for: one for all cases hides the index of this one. */
export interface List<Row> extends ListIdentity<Row> {
  columns: string;
  /**
   * What is read. Where that is put together from several parts, a function of the conditions, order and limit that each
   * part needs for itself: a plan that reads all of every part before it sorts is right for few rows only.
   */
  from: string | ((tail: string) => string);
  /** The same where Citus distributes the database, and cannot take it. */
  whereDistributed?: string | ((tail: string) => string);
  /** The same of one page by its number, where what goes before it is to be skipped without being read. */
  fromPage?: (page: ListPage) => string;
  where: readonly string[];
  values: readonly unknown[];
  /** A condition of the rows that the total leaves out. */
  uncounted?: string | undefined;
  /** What counting reads instead of `from`, where `where` needs no more. */
  countFrom?: string;
  /** The total where somebody has counted before: as it is, or as a query that gives one number. */
  total?: number | string | undefined;
  mostCounted?: number;
  /** Its filters are put together in more ways than a connection should keep statements for. */
  isFleeting?: boolean;
}

/**
 * What a list is asked for: a page by its number, or the rows behind or before a position.
 * `gone` is aborted where nobody waits for them any more.
 */
export type ListRequest = { size: number; gone?: AbortSignal | undefined } & (
  | { page: number }
  | { direction: 'after' | 'before'; cursor: Cursor }
);

export const DEFAULT_SIZE = 50;

/**
 * From the query of a request.
 * @throws AppError 400 `CURSOR_CONFLICT`, `CURSOR_INVALID`
 */
export function listRequest(
  query: { page?: number; size?: number; after?: string; before?: string },
  defaultSize = DEFAULT_SIZE,
): ListRequest {
  const { page, size = defaultSize, after, before } = query;
  if ([page, after, before].filter((one) => one !== undefined).length > 1) throw cursorConflict();
  if (after !== undefined) return { size, direction: 'after', cursor: decodeCursor(after) };
  if (before !== undefined) return { size, direction: 'before', cursor: decodeCursor(before) };
  return { size, page: page ?? 1 };
}

/** Where the walk that a request goes on with began in time, if the request named none. */
export function sinceOf(request: ListRequest): Date | undefined {
  const since = 'cursor' in request ? request.cursor.since : null;
  return since === null ? undefined : dateOf(since);
}

/** The position of a row. */
export function cursorOf<Row>({ name, of, order, since }: ListIdentity<Row>, row: Row): string {
  const key = order.keys.map((part) => encoded(part.of(row)));
  return encodeCursor({ print: printOf(name, of), since: since?.getTime() ?? null, key });
}

/** The values of a cursor's key, in the order of the keys. @throws AppError 400 `CURSOR_INVALID` */
export function keyValues<Row>({ keys }: ListOrder<Row>, { key }: Cursor): (string | number | Date)[] {
  if (key.length !== keys.length) throw cursorInvalid();
  return keys.map(({ type }, at) => decoded(type, key[at] as KeyPart));
}

const cursorConflict = () =>
  new AppError('invalid', 'CURSOR_CONFLICT', 'Send one of page, after and before: each says where to read.');

const NEVER = 'infinity';

function encoded(value: string | number | bigint | Date | null): KeyPart {
  if (value === null) return NEVER;
  if (value instanceof Date) return value.getTime();
  return typeof value === 'bigint' ? String(value) : value;
}

const MAX_INT4 = 2 ** 31 - 1;
const MAX_INT8 = 2n ** 63n - 1n;

function decoded(type: OrderKey<never>['type'], part: KeyPart): string | number | Date {
  switch (type) {
    case 'uuid':
      if (typeof part === 'string' && isUuid(part)) return part;
      break;
    case 'text':
      if (typeof part === 'string' && part.isWellFormed() && !part.includes('\0')) return part;
      break;
    case 'integer':
      if (typeof part === 'number' && Math.abs(part) <= MAX_INT4) return part;
      break;
    case 'bigint':
      if (typeof part === 'string' && /^\d{1,19}$/.test(part) && BigInt(part) <= MAX_INT8) return part;
      break;
    case 'timestamptz':
      if (part === NEVER) return part;
      if (typeof part === 'number') return dateOf(part);
  }
  throw cursorInvalid();
}

/** A time that PostgreSQL has as well: the years 1 to 9999. */
function dateOf(milliseconds: number): Date {
  const moment = new Date(milliseconds);
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9_999)) throw cursorInvalid();
  return moment;
}
