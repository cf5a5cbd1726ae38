import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** What a row is sorted by, as JSON has it: times in milliseconds, int8 as text. */
export type KeyPart = string | number;

/** A position in a list: behind or before the row with this key. */
export interface Cursor {
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
/** Enough to find a mistake. It keeps nobody out: whoever makes a position up may ask for its rows anyway. */
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
