import { decimalText } from '../money/index.ts';

/**
 * Amounts in JSON as providers write them: naira with a point and two decimals. Inside they are kobo, and nothing is a
 * float on the way: the digits go into the document as they are, and come out of the number's shortest decimal text,
 * which is exact up to 15 digits (13 before the point).
 */

const MINOR_PER_MAJOR = 100n;
const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,12}))?$/;

/** A value that `JSON.stringify` writes as these very digits. ES2025; the compiler does not know it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** Minor units as a JSON number of major units with two decimals: 12345n is written as 123.45. */
export function toJsonDecimal(amountMinor: bigint): object {
  return rawJSON(decimalText(amountMinor));
}

/**
 * A JSON number or text in major units as minor units; null where it is neither, or finer than a kobo: an amount that
 * we cannot read exactly is one that we have not read.
 */
export function fromDecimal(value: unknown): bigint | null {
  const parts = partsOf(value);
  if (parts === null || !/^\d{0,2}0*$/.test(parts.fraction)) return null;
  return parts.sign * minorOf(parts);
}

/** As `fromDecimal`, for balances, which providers keep finer than a kobo (their fees are): rounded down. */
export function fromDecimalDown(value: unknown): bigint | null {
  const parts = partsOf(value);
  if (parts === null) return null;
  const isFiner = /[1-9]/.test(parts.fraction.slice(2));
  const size = minorOf(parts);
  return parts.sign < 0n ? -(isFiner ? size + 1n : size) : size;
}

interface Parts {
  sign: bigint;
  major: string;
  fraction: string;
}

function partsOf(value: unknown): Parts | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = DECIMAL.exec(String(value));
  if (match === null) return null;
  const [, sign, major = '', fraction = ''] = match;
  return { sign: sign === '-' ? -1n : 1n, major, fraction };
}

function minorOf({ major, fraction }: Parts): bigint {
  return BigInt(major) * MINOR_PER_MAJOR + BigInt(fraction.slice(0, 2).padEnd(2, '0'));
}
