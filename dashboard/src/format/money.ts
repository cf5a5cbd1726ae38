/** Signs by currency; one without a sign is written with its code. */
const SIGNS: Record<string, string> = { NGN: '₦' };

/** What stands before an amount. */
export const signOf = (currency: string): string => SIGNS[currency] ?? `${currency} `;

/** The largest amount that the interface takes: thirteen digits of naira and two of kobo are exact in a JSON number. */
const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/**
 * An amount in major units as people read it: `₦1,234.50`, `−₦20.00`.
 * Works on the digits of the number, never on a product of it, so nothing is rounded.
 */
export function formatMoney(amount: number, currency = 'NGN'): string {
  const sign = amount < 0 ? '−' : '';
  return `${sign}${signOf(currency)}${formatDigits(Math.abs(amount))}`;
}

/** `1234.5` as `1,234.50`. */
export function formatDigits(amount: number): string {
  const [whole = '0', fraction = ''] = amount.toFixed(2).split('.');
  return `${group(whole)}.${fraction}`;
}

/** Thousands apart by commas or spaces, all the same. Where a comma begins the kobo, `1000,50` and `0,500` are other amounts. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$|^[1-9]\d{0,2}(?:\s\d{3})+(?:\.\d*)?$/;

/**
 * What was typed as an amount: `1,234.5`, `₦ 1 234.50`. Undefined where it is no amount with at most two decimals, or could
 * be meant as another.
 */
export function parseMoney(text: string): number | undefined {
  const bare = text.trim().replace(/^₦\s*/, '');
  const plain = GROUPED.test(bare) ? bare.replace(/[,\s]/g, '') : bare;
  const match = AMOUNT.exec(plain);
  return match === null ? undefined : Number(plain);
}

/** The sentence for a field where `parseMoney` finds no amount, or undefined where it does. */
export function complainAboutMoney(text: string): string | undefined {
  if (text.trim() === '') return 'Enter an amount.';
  if (/^[-−]/.test(text.trim())) return 'An amount cannot be negative.';
  if (/\.\d{3,}$/.test(text.trim())) return 'Use at most two decimals: kobo is the smallest part of a naira.';
  const amount = parseMoney(text);
  if (amount === undefined && text.includes(',')) return 'Put a point before the kobo, as in 1,250.00.';
  if (amount === undefined) return 'Enter an amount in naira, such as 1,250.00.';
  return amount === 0 ? 'Enter an amount above zero.' : undefined;
}

/** What was typed with its thousands grouped, for a field that is left; anything that is no amount stays as it is. */
export function groupTyped(text: string): string {
  const amount = parseMoney(text);
  return amount === undefined ? text : formatDigits(amount);
}

export function formatCount(count: number): string {
  return group(String(Math.trunc(count)));
}

/** `1 payment`, `2,000 payments`. */
export const formatMany = (count: number, one: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;

function group(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A less b, exact to the kobo: the two are taken apart as whole numbers of kobo. */
export function lessMoney(a: number, b: number): number {
  return (Math.round(a * 100) - Math.round(b * 100)) / 100;
}

/** The sum, exact to the kobo. */
export function sumMoney(amounts: readonly number[]): number {
  return amounts.reduce((kobo, amount) => kobo + Math.round(amount * 100), 0) / 100;
}

/** A limit from here on is none: a sandbox begins with it, and no wallet holds as much. */
const AS_GOOD_AS_NONE = 1e12;

/** Whether a limit in naira limits anything; null is no limit. */
export function isLimit(amount: number | null | undefined): amount is number {
  return amount !== null && amount !== undefined && amount < AS_GOOD_AS_NONE;
}

/** Whether no amount is from the one to the other. */
export function isNoRange(amountFrom: string | undefined, amountTo: string | undefined): boolean {
  const [least, most] = [parseMoney(amountFrom ?? ''), parseMoney(amountTo ?? '')];
  return least !== undefined && most !== undefined && most < least;
}
