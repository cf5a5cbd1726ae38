import type { RecordOf } from '../api/types.ts';
import { formatCount } from '../format/money.ts';

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

/** The sentences that the check of a row can say, and the cell that each is about. */
const SENTENCES: readonly { field: ItemField; sentence: RegExp; short: string }[] = [
  { field: 'amount', sentence: /The amount "[^"]*" is not a whole number of naira\./, short: 'Whole naira' },
  { field: 'amount', sentence: /The amount must be greater than zero\./, short: 'Above zero' },
  { field: 'amount', sentence: /The amount must not be more than [^\d\s]*[\d,]+(?:\.\d+)?\./, short: 'Too much' },
  { field: 'accountNumber', sentence: /The account number must be 10 digits\./, short: 'Needs 10 digits' },
  { field: 'narration', sentence: /The narration is missing\./, short: 'Missing' },
  { field: 'narration', sentence: /The narration must have at most \d+ characters\./, short: 'Too long' },
  { field: 'phoneNumber', sentence: /The phone number must be 7 to 15 digits\./, short: '7 to 15 digits' },
  { field: 'bankCode', sentence: /There is no bank with the code "[^"]*"\./, short: 'No such bank' },
];

export type Problems = { readonly [field in ItemField]?: Problem } & { readonly row?: Problem };

/** What is wrong with a row, cell by cell. What fits no cell is said of the row as a whole. */
export function problemsOf(item: Item): Problems {
  if (item.isValid || item.validatedAt === null || item.reason === null) return {};
  const problems: { [field in ItemField | 'row']?: Problem } = {};
  let rest = item.reason;
  for (const { field, sentence, short } of SENTENCES) {
    const found = sentence.exec(rest)?.[0];
    if (found === undefined) continue;
    problems[field] ??= { sentence: found, short };
    rest = rest.replace(found, '').trim();
  }
  // These begin with the name of the bank, which may be any words: they are what is left.
  if (rest.includes('does not take payouts')) problems.bankCode = { sentence: rest, short: 'Takes no payouts' };
  else if (rest.includes('has no account with')) problems.accountNumber = { sentence: rest, short: 'No such account' };
  else if (rest.includes(ASK_AGAIN)) problems.accountNumber = { sentence: rest, short: 'No answer yet' };
  else if (rest !== '') problems.row = { sentence: rest, short: rest };
  return problems;
}

/** The bank was silent: the same value may be right, so it is worth saving once more. */
const ASK_AGAIN = 'did not say who owns';

/** Whether a cell that was not changed is sent all the same. */
export const asksAgain = (item: Item, field: ItemField): boolean =>
  problemsOf(item)[field]?.sentence.includes(ASK_AGAIN) === true;

/** The amount as it stood in the file, where it was none that can be paid. */
const GIVEN_AMOUNT = /The amount "([^"]*)" is not/;

/** What a cell holds, for correcting. */
export function textOf(item: Item, field: ItemField): string {
  switch (field) {
    case 'amount':
      return GIVEN_AMOUNT.exec(item.reason ?? '')?.[1] ?? String(item.amount);
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

/** Whole naira are written without kobo: nothing else can be paid from a list. */
function formatNaira(amount: number): string {
  return Number.isInteger(amount) ? `${amount < 0 ? '−' : ''}${formatCount(Math.abs(amount))}` : String(amount);
}

/** Fields of a row as the interface takes them. */
export type CellValues = { amount?: number } & { [field in Exclude<ItemField, 'amount'>]?: string };

export type ReadCell = { values: CellValues } | { problem: string };

/** What was typed into a cell, as the interface takes it. Whether it can be paid is the service's to say. */
export function readCell(field: ItemField, text: string): ReadCell {
  const typed = text.trim();
  if (field !== 'amount') return { values: { [field]: typed } };
  const bare = typed
    .replace(/^₦/, '')
    .replaceAll(/[,\s]/g, '')
    .replace(/\.0{1,2}$/, '');
  if (/^-?\d{1,13}$/.test(bare)) return { values: { amount: Number(bare) } };
  return { problem: 'Enter whole naira, such as 1500: the amounts of a bulk payout have no kobo.' };
}
