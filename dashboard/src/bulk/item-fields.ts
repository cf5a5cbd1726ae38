import type { RecordOf } from '../api/types.ts';
import { accountNumberOf } from '../format/accounts.ts';
import { formatCount, formatDigits, parseMoney } from '../format/money.ts';

export type Item = RecordOf<'/payout/bulk/{batchReference}/item'>;

/** What of a row can be corrected, by the names that `PATCH /payout/bulk/item` has for them. */
export type ItemField = 'accountNumber' | 'bankCode' | 'accountName' | 'amount' | 'narration' | 'phoneNumber';

export const ITEM_FIELDS: readonly { field: ItemField; header: string; width: string }[] = [
  { field: 'accountNumber', header: 'Account number', width: '8.25rem' },
  { field: 'bankCode', header: 'Bank', width: 'minmax(8.25rem,1fr)' },
  { field: 'accountName', header: 'Name', width: 'minmax(8.75rem,1.3fr)' },
  { field: 'amount', header: 'Amount (₦)', width: '6.5rem' },
  { field: 'narration', header: 'Narration', width: 'minmax(7rem,1fr)' },
  { field: 'phoneNumber', header: 'Phone', width: '7.25rem' },
];

export interface Problem {
  /** As the service says it. */
  sentence: string;
  /** As it fits into a cell. */
  short: string;
}

/** What fits into a cell in place of the sentence, by what is wrong; of any other code the sentence is cut short. */
const SHORT: Readonly<Record<string, string>> = {
  AMOUNT_NOT_WHOLE_NAIRA: 'Not an amount',
  AMOUNT_NOT_POSITIVE: 'Above zero',
  AMOUNT_TOO_LARGE: 'Too much',
  ACCOUNT_NUMBER_NOT_TEN_DIGITS: 'Needs 10 digits',
  ACCOUNT_NOT_FOUND: 'No such account',
  CELL_SHOWS_ERROR: 'Error in the file',
  CELL_NOT_CALCULATED: 'Not calculated',
  CELL_STRUCK_OUT: 'Struck out',
  ACCOUNT_OWNER_UNKNOWN: 'No answer yet',
  NAME_ENQUIRY_TIMED_OUT: 'No answer yet',
  NARRATION_MISSING: 'Missing',
  NARRATION_TOO_LONG: 'Too long',
  PHONE_NUMBER_INVALID: '7 to 15 digits',
  BANK_NOT_FOUND: 'No such bank',
  BANK_TAKES_NO_PAYOUTS: 'Takes no payouts',
};

export type Problems = { readonly [field in ItemField]?: Problem } & { readonly row?: Problem };

const isItemField = (field: string | null): field is ItemField => ITEM_FIELDS.some((known) => known.field === field);

const errorsOf = (item: Item) =>
  item.isValid || item.validatedAt === null ? [] : item.problems.filter(({ severity }) => severity === 'ERROR');

/** Whether the file has nothing there: that is no wrong bank and no unreadable amount. */
const isMissing = (item: Item, field: ItemField): boolean => textOf(item, field).trim() === '';

/** What is wrong with a row, cell by cell. What is about no cell is said of the row as a whole. */
export function problemsOf(item: Item): Problems {
  const problems: { [field in ItemField | 'row']?: Problem } = {};
  for (const { code, field, message } of errorsOf(item)) {
    const isEmpty = isItemField(field) && isMissing(item, field);
    const short = isEmpty ? 'Missing' : (SHORT[code] ?? message);
    problems[isItemField(field) ? field : 'row'] ??= { sentence: message, short };
  }
  return problems;
}

/** Where a row stands, as `Status` shows it: one that goes to another person's account is never called valid. */
export function stateOf(item: Item): string {
  if (item.payoutStatus !== null) return item.payoutStatus;
  if (item.validatedAt === null) return 'VALIDATING';
  if (!item.isValid) return 'INVALID';
  if (item.problems.some(({ code }) => code === 'NAME_DIFFERS')) {
    return item.accepted.includes('NAME_DIFFERS') ? 'NAME_ACCEPTED' : 'NAME_DIFFERS';
  }
  return item.repeats === null ? 'VALID' : 'REPEATS';
}

/** The bank was silent: the same value may be right, so it is worth saving once more. */
const ASK_AGAIN: ReadonlySet<string> = new Set(['ACCOUNT_OWNER_UNKNOWN', 'NAME_ENQUIRY_TIMED_OUT']);

/** Whether a cell that was not changed is sent all the same. */
export const asksAgain = (item: Item, field: ItemField): boolean =>
  errorsOf(item).some((problem) => problem.field === field && ASK_AGAIN.has(problem.code));

/** What a cell holds, for correcting. */
export function textOf(item: Item, field: ItemField): string {
  switch (field) {
    case 'amount':
      return item.givenAmount ?? String(item.amount);
    case 'accountName':
      return item.givenName ?? '';
    case 'phoneNumber':
      return item.phoneNumber ?? '';
    default:
      return item[field];
  }
}

/** What a cell shows first. */
export function shownOf(item: Item, field: ItemField): string {
  if (field === 'amount') return item.amount === 0 ? textOf(item, field) : formatNaira(item.amount);
  if (field === 'bankCode') return item.bankName === '' ? item.bankCode : item.bankName;
  if (field === 'accountName') return item.givenName ?? item.accountName;
  return textOf(item, field);
}

/** What stands below it in small letters. */
export function besideOf(item: Item, field: ItemField): string | undefined {
  if (field === 'bankCode' && item.bankName !== '') return item.bankCode;
  if (field === 'accountName' && item.givenName !== null && item.accountName !== '') {
    return item.givenName === item.accountName ? undefined : `Bank: ${item.accountName}`;
  }
  return undefined;
}

/** Whole naira are written without kobo, as most lists have them. */
function formatNaira(amount: number): string {
  const size = Math.abs(amount);
  return `${amount < 0 ? '−' : ''}${Number.isInteger(amount) ? formatCount(size) : formatDigits(size)}`;
}

/** Fields of a row as the interface takes them. */
export type CellValues = { amount?: number } & { [field in Exclude<ItemField, 'amount'>]?: string };

export type ReadCell = { values: CellValues } | { problem: string };

/** What was typed into a cell, as the interface takes it. Whether it can be paid is the service's to say. */
export function readCell(field: ItemField, text: string): ReadCell {
  const typed = text.trim();
  if (field === 'accountNumber') return { values: { accountNumber: accountNumberOf(typed) } };
  if (field !== 'amount') return { values: { [field]: typed } };
  const [, minus, size = ''] = /^(-?)(.*)$/s.exec(typed) ?? [];
  const amount = parseMoney(size);
  if (amount !== undefined) return { values: { amount: minus === '-' ? -amount : amount } };
  return { problem: 'Enter an amount in naira with at most two decimals, such as 1500 or 1500.50.' };
}

/** A sentence about a row, with the number of the row before it once. */
export const saidOfRow = (position: number, sentence: string): string =>
  sentence.startsWith(`Row ${position} `) ? sentence : `Row ${position}: ${sentence}`;
