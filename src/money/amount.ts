import { type AppError, invalidField } from '../platform/errors.ts';

/** ISO 4217. Every amount has one; naira is the first. */
export type Currency = 'NGN';

export const DEFAULT_CURRENCY: Currency = 'NGN';

const SYMBOL: Record<Currency, string> = { NGN: '₦' };

/** Naira and kobo: two decimals. */
const MINOR_PER_MAJOR = 100n;

/** Thirteen digits before the point: with two after it, every amount is exact as a JSON number (15 digits). */
const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/;
const DECIMAL = /^\d+(?:\.\d+)?$/;

/** From 2^46 naira, neighbouring kobo begin to share one JSON number. Balances end well below: 70 trillion naira. */
const FIRST_INEXACT_MINOR = 2n ** 46n * MINOR_PER_MAJOR;

export interface AmountRules {
  allowZero?: boolean;
  /** Of what is kept as it was given, though it cannot be paid: an item of a bulk payout. */
  allowNegative?: boolean;
}

/**
 * The one way in for money from a JSON body: a number in major units (naira, at most two decimals) becomes minor
 * units (kobo). Reads the number's shortest decimal text, so nothing is multiplied or rounded.
 * @throws AppError `VALIDATION_FAILED`, with a sentence of its own for each way to be wrong.
 */
export function parseAmount(value: unknown, field = 'amount', rules: AmountRules = {}): bigint {
  if (value === undefined || value === null) throw invalidField(field, 'is required');
  if (typeof value !== 'number') {
    throw invalidField(field, 'must be a JSON number such as 1500 or 1500.5, without quotes');
  }
  if (!Number.isFinite(value)) throw invalidField(field, 'must be a finite number');
  if (value >= 0) return parseDecimal(withoutExponent(value), field, rules);
  if (rules.allowNegative !== true) throw invalidField(field, 'must not be negative');
  return -parseDecimal(withoutExponent(-value), field, rules);
}

/**
 * An amount from a cell of a file: digits with at most two decimals after a point, nothing else. A thousands
 * separator or a currency sign is refused, because which sign means what differs from place to place.
 * @throws AppError `VALIDATION_FAILED`
 */
export function parseAmountText(text: string, field = 'amount', rules: AmountRules = {}): bigint {
  const expected = 'must be digits such as 1500 or 1500.50, without separators or a currency sign';
  return parseText(text, { field, expected, rules });
}

interface TextOptions {
  field: string;
  /** What is said of a text that is no amount. */
  expected: string;
  rules: AmountRules;
}

function parseText(text: string, { field, expected, rules }: TextOptions): bigint {
  if (text === '') throw invalidField(field, 'is required');
  if (/^-\d/.test(text)) throw invalidField(field, 'must not be negative');
  if (!DECIMAL.test(text)) throw invalidField(field, expected);
  return parseDecimal(text, field, rules);
}

/** Thousands apart by commas or spaces, all the same. No thousands begin with a zero: `0,500` is half of one elsewhere. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$|^[1-9]\d{0,2}(?:\s\d{3})+(?:\.\d+)?$/;

/**
 * `1,500.50` and `1 500.50` as `1500.50`. Anything else stays as it is, to be refused: elsewhere a comma begins the decimals,
 * and `1000,50` without it would be a hundred times as much.
 */
export const ungrouped = (digits: string): string => (GROUPED.test(digits) ? digits.replaceAll(/[,\s]/g, '') : digits);

/** What somebody typed into a field for an amount, as `parseAmountText` reads it. */
export const typedAmount = (text: string): string => ungrouped(text.trim().replace(/^₦\s*/, ''));

/** The amount that somebody typed, also as `1,500.50` or `₦1500`. @throws AppError `VALIDATION_FAILED` */
export function parseTypedAmount(text: string, field = 'amount', rules: AmountRules = {}): bigint {
  return parseText(typedAmount(text), { field, expected: 'must be a number such as 1500, 1,500 or 1500.50', rules });
}

function parseDecimal(text: string, field: string, rules: AmountRules): bigint {
  const match = AMOUNT.exec(text);
  if (match === null) throw wrongSize(text, field);
  const [, major = '', fraction = ''] = match;
  const amountMinor = BigInt(major) * MINOR_PER_MAJOR + BigInt(fraction.padEnd(2, '0'));
  if (amountMinor === 0n && rules.allowZero !== true) throw invalidField(field, 'must be greater than zero');
  return amountMinor;
}

/** Numbers print with an exponent only from 1e21 up and below 1e-6: too large or too fine, and said so as such. */
function withoutExponent(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return value >= 1 ? BigInt(value).toString() : value.toFixed(20);
}

function wrongSize(text: string, field: string): AppError {
  const [major = ''] = text.split('.');
  return major.length > 13
    ? invalidField(field, 'is too large: at most 13 digits before the decimal point')
    : invalidField(field, 'must have at most two decimals');
}

/**
 * Minor units back to a JSON number in major units. For `views.ts` only; nothing calculates with the result.
 * Exact in both directions for every size that it accepts; balances may be negative.
 * @throws RangeError from 2^46 naira, where a JSON number can no longer tell one kobo from the next.
 */
export function toNumber(amountMinor: bigint): number {
  if (amountMinor >= FIRST_INEXACT_MINOR || amountMinor <= -FIRST_INEXACT_MINOR) {
    throw new RangeError(`${amountMinor} minor units do not fit a JSON number exactly`);
  }
  return Number(amountMinor) / Number(MINOR_PER_MAJOR);
}

/** The same of an amount that may be missing. */
export function toNumberOrNull(amountMinor: bigint | null | undefined): number | null {
  return amountMinor === null || amountMinor === undefined ? null : toNumber(amountMinor);
}

/** The same of a sum that may be beyond what a JSON number holds; null there. */
export function toNumberIfExact(amountMinor: bigint): number | null {
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  return size >= FIRST_INEXACT_MINOR ? null : toNumber(amountMinor);
}

/** Minor units as text in major units, for files and evidence: `1234.50`, and `-1234.50` below zero. */
export function decimalText(amountMinor: bigint): string {
  const sign = amountMinor < 0n ? '-' : '';
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  return `${sign}${size / MINOR_PER_MAJOR}.${(size % MINOR_PER_MAJOR).toString().padStart(2, '0')}`;
}

/** The same without kobo where there are none, as people write amounts into a list: `1500` and `1500.50`. */
export function plainText(amountMinor: bigint): string {
  return decimalText(amountMinor).replace(/\.00$/, '');
}

/** For people: `₦1,234.50`, and `-₦1,234.50` below zero. */
export function formatMoney(amountMinor: bigint, currency: Currency): string {
  const sign = amountMinor < 0n ? '-' : '';
  const size = amountMinor < 0n ? -amountMinor : amountMinor;
  const major = (size / MINOR_PER_MAJOR).toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
  const minor = (size % MINOR_PER_MAJOR).toString().padStart(2, '0');
  return `${sign}${SYMBOL[currency]}${major}.${minor}`;
}
