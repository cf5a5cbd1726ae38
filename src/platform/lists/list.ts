import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { isUuid } from '../ids.ts';

/** A value that rows are sorted by, as JSON has it: times in milliseconds, int8 as text. */
export type KeyPart = string | number;

/** A position in a list: after or before the row with this key. */
interface Cursor {
  /** Fingerprint of the list and its filter: a position means nothing in another list. */
  print: string;
  key: readonly KeyPart[];
  /**
   * Milliseconds: where the list began in time at the first page; null where the request named a beginning, or the list
   * has none.
   */
  since: number | null;
}

/** The first character of every cursor, so that another layout can be recognized. */
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

/** @param of whose list it is and by which filter, always in the same order */
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

/** Rows of a list are counted up to this number: it takes some 20 ms, and nobody pages deeper by number. */
export const MAX_COUNTED = 100_000;

/**
 * Rows that a search reads for filters without an index: some tenths of a second. Its answer says how far back it came.
 */
export const MAX_LOOKED_AT = 50_000;

/**
 * One value that a list is sorted by. Times are the application's, so they have milliseconds and no finer. A null is
 * sorted last: `coalesce(…, 'infinity')`, and null here.
 */
interface OrderKey<Row> {
  /** An expression over what the list reads from. */
  sql: string;
  type: 'uuid' | 'text' | 'integer' | 'bigint' | 'timestamptz';
  of: (row: Row) => string | number | bigint | Date | null;
}

/**
 * A total order: no two rows have the same last key. The key of a row does not change, or a client that pages on might
 * miss or repeat it.
 */
export interface ListOrder<Row> {
  direction: 'asc' | 'desc';
  keys: readonly OrderKey<Row>[];
}

/** What a cursor belongs to. */
export interface ListIdentity<Row> {
  name: string;
  /** Whose list, and by which filter. A beginning that moves with the clock is not part of it. */
  of: readonly unknown[];
  order: ListOrder<Row>;
  /**
   * Where a list begins in time where the request named no beginning. Its cursors keep it, so that the end of the list
   * does not move while a client pages on.
   */
  since?: Date | undefined;
}

/** A page by its number as SQL. */
export interface ListPage {
  /** Conditions and order. */
  tail: string;
  /** The rows of the page alone. */
  range: () => string;
  /** All rows up to its end, for each part of a list that is put together from several. */
  upTo: () => string;
}

/**
 * A list as SQL. It has only the conditions that are asked for: a condition for all cases would hide the index for this
 * one.
 */
export interface List<Row> extends ListIdentity<Row> {
  columns: string;
  /**
   * What is read. For a list that is put together from several parts: a function of the conditions, order and limit, so
   * that each part applies them itself. Otherwise the plan would read all rows of every part before it sorts.
   */
  from: string | ((tail: string) => string);
  /** The text where Citus distributes the database and cannot use the other one. */
  whereDistributed?: string | ((tail: string) => string);
  /** The same for one page by its number, where the rows before it can be skipped without being read. */
  fromPage?: (page: ListPage) => string;
  where: readonly string[];
  values: readonly unknown[];
  /** A condition on the rows that the total leaves out. */
  uncounted?: string | undefined;
  /** What the count reads instead of `from`, where `where` needs no more. */
  countFrom?: string;
  /** The total where it is known already: as a number, or as a query that gives one. */
  total?: number | string | undefined;
  mostCounted?: number;
  /** Its filters are combined in more ways than a connection should keep statements for. */
  isFleeting?: boolean;
}

/**
 * A request for a list: a page by its number, or the rows after or before a position. `gone` is aborted where the
 * client has gone away.
 */
export type ListRequest = { size: number; gone?: AbortSignal | undefined } & (
  | { page: number }
  | { direction: 'after' | 'before'; cursor: Cursor }
);

export const DEFAULT_SIZE = 50;

/** Made of the query of a request. @throws AppError 400 `CURSOR_CONFLICT`, `CURSOR_INVALID` */
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

/** Where the list began in time at the first page, if the request named no beginning. */
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
