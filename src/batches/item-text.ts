import { parseAmount, plainText, ungrouped } from '../money/index.ts';
import { type ProblemData, shortened } from '../platform/problem.ts';
import { isVisible, oneForm, withoutInvisible } from '../platform/text.ts';
import { itemProblem, type ListColumn } from './problems.ts';

/** `="0123"`: a spreadsheet formula that keeps digits as text. */
const FORMULA_TEXT = /^=\s*"(.*)"$/s;
/** `'0123`: the same, typed by hand; also the protection of a text that begins like a formula. */
const APOSTROPHE = /^'(?=[\d=+\-@\uff0b\uff0d\uff1d\uff20])/;
/** The protection of a part of a text where a spreadsheet may begin a cell with it, as our own files have it. */
const APOSTROPHE_WITHIN = /([;\r\n][^\S\r\n]*)'(?="*[=+\-@\uff0b\uff0d\uff1d\uff20])/g;

/**
 * A cell without marks that only spreadsheets need, and without invisible characters. The latter are reported, because
 * a text may read differently without them.
 */
export function cleanText(given: string, column: ListColumn, warnings: ProblemData[]): string {
  const spaced = oneForm(given).trim();
  const quoted = FORMULA_TEXT.exec(spaced)?.[1]?.replaceAll('""', '"');
  const plain = (quoted ?? spaced.replace(APOSTROPHE, '').replaceAll(APOSTROPHE_WITHIN, '$1')).trim();
  if (isVisible(plain)) return plain;
  const field = column === 'bankName' ? 'bankCode' : column;
  warnings.push(itemProblem('INVISIBLE_CHARACTERS_REMOVED', { column }, field));
  return withoutInvisible(plain).trim();
}

/**
 * The amount of an item in a JSON body, in kobo: at most two decimals. Zero and negative amounts are kept and shown as
 * invalid, so that a clerk can correct them.
 * @throws AppError `VALIDATION_FAILED`
 */
export function parseItemAmount(amount: number, field = 'amount'): bigint {
  return parseAmount(amount, field, { allowZero: true, allowNegative: true });
}

export interface ReadAmount {
  /** In kobo; zero where the text is no amount that can be paid. */
  amountMinor: bigint;
  /** In kobo, including amounts that cannot be paid: for the control total. */
  countedMinor: bigint;
  complaint?: ProblemData;
  warning?: ProblemData;
}

const CURRENCY_BEFORE = /^(?:=N=|NGN|naira|₦|#|N)\s*/i;
const CURRENCY_AFTER = /(?:NGN|₦|naira)$/i;
/** `12,500/=`, `12,500/-` and `12,500=`: no kobo. */
const NO_KOBO = /\s*(?:\/[=-]|=)$/;
/** `12,500 only.`, as on a cheque. */
const ONLY = /(?:\s*only)?\.?$/i;
/** No amount is longer, with all the marks around it; a longer text is not parsed. */
const MAX_CHARACTERS = 40;
/** Thirteen digits of naira, as for every amount. */
const DECIMAL = /^(\d{1,13})(?:\.(\d+))?$/;
const MINOR_PER_NAIRA = 100n;

const NOTHING = { amountMinor: 0n, countedMinor: 0n };

/**
 * The amount of a row: naira and at most two decimals, with or without the marks that people put around an amount. A
 * comma separates thousands and a point begins the kobo; a text that would mean something else in another country is
 * not guessed at.
 */
export function readAmount(text: string): ReadAmount {
  if (text === '') return { ...NOTHING, complaint: itemProblem('AMOUNT_MISSING', {}) };
  if (text.length > MAX_CHARACTERS) return unreadable(text);
  const negative = text.startsWith('-');
  const bare = text
    .replace(/^-\s*/, '')
    .replace(ONLY, '')
    .replace(NO_KOBO, '')
    .replace(CURRENCY_BEFORE, '')
    .replace(CURRENCY_AFTER, '')
    .trimEnd();
  const digits = ungrouped(bare);
  const match = DECIMAL.exec(digits);
  if (match === null) return unreadable(text);
  const [, naira = '', decimals = ''] = match;
  // "1.500" is fifteen hundred in other countries, and "1.000" a thousand: three decimals are read only where they can
  // mean nothing else.
  const kobo = naira.length > 3 ? decimals.replace(/0+$/, '') : decimals;
  if (kobo.length > 2) {
    return { ...NOTHING, complaint: itemProblem('AMOUNT_TOO_PRECISE', { given: shortened(text) }) };
  }
  const size = BigInt(naira) * MINOR_PER_NAIRA + BigInt(kobo.padEnd(2, '0'));
  const amountMinor = negative ? -size : size;
  if (digits === text || (negative && `-${digits}` === text)) return { amountMinor, countedMinor: amountMinor };
  const warning = itemProblem('AMOUNT_CORRECTED', { given: shortened(text), amount: plainText(amountMinor) });
  return { amountMinor, countedMinor: amountMinor, warning };
}

function unreadable(text: string): ReadAmount {
  return { ...NOTHING, complaint: itemProblem('AMOUNT_UNREADABLE', { given: shortened(text) }) };
}

/**
 * The figure in a text that was given for an amount, in kobo; undefined where it could mean something else, or is not
 * positive.
 */
export function amountAsRead(given: string): bigint | undefined {
  const { amountMinor, complaint } = readAmount(given.trim());
  return complaint === undefined && amountMinor > 0n ? amountMinor : undefined;
}

/** No account or phone number is longer than this, however it is written. */
const MAX_NUMBER = 40;

/**
 * Reads an account number. A spreadsheet may have taken its leading zero, or made a number such as 1.23E+09 of it.
 * @param isTyped a person typed it: any of its digits may be missing, and none is put back
 */
export function readAccount(
  text: string,
  { isTyped = false } = {},
): {
  accountNumber: string;
  complaint?: ProblemData;
  warning?: ProblemData;
} {
  if (/^\d{10}$/.test(text) || text.length > MAX_NUMBER) return { accountNumber: text };
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) {
    return { accountNumber: text, complaint: itemProblem('ACCOUNT_NUMBER_CUT_SHORT', { given: shortened(text) }) };
  }
  const digits = text.replaceAll(/[ -]/g, '').replace(/\.0+$/, '');
  if (!/^\d+$/.test(digits)) return { accountNumber: text };
  // A number that begins with a zero has not lost one: a digit is missing somewhere.
  if (digits.length === 9 && !isTyped && !digits.startsWith('0')) {
    const accountNumber = `0${digits}`;
    const warning = itemProblem('ACCOUNT_NUMBER_ZERO_ADDED', { given: shortened(text), accountNumber });
    return { accountNumber, warning };
  }
  if (digits === text) return { accountNumber: text };
  const read = { given: shortened(text), accountNumber: digits };
  return { accountNumber: digits, warning: itemProblem('ACCOUNT_NUMBER_CORRECTED', read) };
}

/** Reads a phone number. Null for none. Ten digits that begin with 7, 8 or 9 are a mobile number without its zero. */
export function readPhone(text: string, warnings: ProblemData[]): string | null {
  if (text === '') return null;
  if (text.length > MAX_NUMBER) return text;
  const digits = text.replace(/\.0+$/, '').replaceAll(/[ ().-]/g, '');
  if (/^[789]\d{9}$/.test(digits)) {
    const phoneNumber = `0${digits}`;
    warnings.push(itemProblem('PHONE_NUMBER_ZERO_ADDED', { given: shortened(text), phoneNumber }));
    return phoneNumber;
  }
  return /^\+?\d+$/.test(digits) ? digits : text;
}
