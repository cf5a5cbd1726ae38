import { DEFAULT_CURRENCY, formatMoney } from '../money/index.ts';
import { lagosTimeText } from '../platform/clock.ts';
import { createProblems, kindOf, type ProblemData } from '../platform/problem.ts';
import { batchReferenceOf } from '../transactions/index.ts';
import type { ItemRow } from './queries.ts';
import type { ItemRepeat, RepeatKind } from './repeat-queries.ts';

/** The columns of a list, as a sentence names them. */
const COLUMN_WORDS = {
  amount: 'amount',
  bankCode: 'bank code',
  bankName: 'bank',
  accountNumber: 'account number',
  accountName: 'name',
  narration: 'narration',
  phoneNumber: 'phone number',
} as const;
export type ListColumn = keyof typeof COLUMN_WORDS;

/** A text inside a sentence. */
const quoted = (text: string): string => `"${text}"`;
/** Digits are the code of a bank, not its name. */
const isCode = (text: string): boolean => /^\d+$/.test(text);
const naira = (minor: string): string => formatMoney(BigInt(minor), DEFAULT_CURRENCY);
const time = (at: string): string => lagosTimeText(new Date(at));

type Given = { given: string };
type OfBank = { bankName: string };
type Repeated = { transactionId: string; at: string };
type RepeatedList = { batchReference: string; row: number; at: string };

/** What may be wrong with a row, or was noticed about it. Sums are kobo, as digits. */
const ITEM_PROBLEMS = {
  AMOUNT_MISSING: kindOf('amount', () => 'The amount is missing.'),
  AMOUNT_UNREADABLE: kindOf<Given>(
    'amount',
    ({ given }) => `The amount ${quoted(given)} is not a number of naira such as 1500 or 1,500.50.`,
  ),
  AMOUNT_TOO_PRECISE: kindOf<Given>('amount', ({ given }) => `The amount ${quoted(given)} has more than two decimals.`),
  /** In lists that were uploaded before lists could pay kobo. */
  AMOUNT_HAS_KOBO: kindOf<Given>(
    'amount',
    ({ given }) => `The amount ${quoted(given)} has kobo, which could not be paid from a list then. Save it again.`,
  ),
  AMOUNT_CORRECTED: kindOf<Given & { amount: string }>(
    'amount',
    ({ given, amount }) => `The amount ${quoted(given)} was read as ${amount}.`,
  ),
  /** The code of an earlier version, which accepted whole naira only. */
  AMOUNT_NOT_WHOLE_NAIRA: kindOf<Given>('amount', ({ given }) =>
    given === '' ? 'The amount is missing.' : `The amount ${quoted(given)} cannot be paid as it is written.`,
  ),
  AMOUNT_NOT_POSITIVE: kindOf('amount', () => 'The amount must be greater than zero.'),
  AMOUNT_TOO_LARGE: kindOf<{ maximumMinor: string }>(
    'amount',
    ({ maximumMinor }) => `The amount must not be more than ${naira(maximumMinor)}.`,
  ),
  ACCOUNT_NUMBER_NOT_TEN_DIGITS: kindOf('accountNumber', () => 'The account number must be 10 digits.'),
  ACCOUNT_NUMBER_CUT_SHORT: kindOf<Given>(
    'accountNumber',
    ({ given }) => `The account number ${quoted(given)} was cut short by a spreadsheet. Type it again, as text.`,
  ),
  ACCOUNT_NUMBER_ZERO_ADDED: kindOf<Given & { accountNumber: string }>(
    'accountNumber',
    ({ given, accountNumber }) =>
      `The account number ${quoted(given)} was read as ${accountNumber}: its leading zero was missing.`,
  ),
  ACCOUNT_NUMBER_CORRECTED: kindOf<Given & { accountNumber: string }>(
    'accountNumber',
    ({ given, accountNumber }) => `The account number ${quoted(given)} was read as ${accountNumber}.`,
  ),
  ACCOUNT_NOT_FOUND: kindOf<OfBank & { accountNumber: string }>(
    'accountNumber',
    ({ bankName, accountNumber }) => `${bankName} has no account with the number ${accountNumber}.`,
  ),
  ACCOUNT_OWNER_UNKNOWN: kindOf<OfBank>(
    'accountNumber',
    ({ bankName }) => `${bankName} did not say who owns the account. Save the row again to ask once more.`,
  ),
  NAME_ENQUIRY_TIMED_OUT: kindOf<{ minutes: number }>(
    'accountNumber',
    ({ minutes }) =>
      `The bank did not say within ${minutes} minutes who owns the account. Save the row again to ask once more.`,
  ),
  NAME_DIFFERS: kindOf<OfBank & { accountName: string; givenName: string }>(
    'accountName',
    ({ bankName, accountName, givenName }) =>
      `The account belongs to ${quoted(accountName)} at ${bankName}, which is not much like the given name ${quoted(givenName)}.`,
  ),
  NARRATION_MISSING: kindOf('narration', () => 'The narration is missing.'),
  NARRATION_TOO_LONG: kindOf<{ maximum: number }>(
    'narration',
    ({ maximum }) => `The narration must have at most ${maximum} characters.`,
  ),
  PHONE_NUMBER_INVALID: kindOf('phoneNumber', () => 'The phone number must be 7 to 15 digits.'),
  PHONE_NUMBER_ZERO_ADDED: kindOf<Given & { phoneNumber: string }>(
    'phoneNumber',
    ({ given, phoneNumber }) =>
      `The phone number ${quoted(given)} was read as ${phoneNumber}: its leading zero was missing.`,
  ),
  BANK_MISSING: kindOf('bankCode', () => 'The bank is missing.'),
  BANK_NOT_FOUND: kindOf<{ bankCode: string }>('bankCode', ({ bankCode }) =>
    bankCode === ''
      ? 'The bank is missing.'
      : `There is no bank ${isCode(bankCode) ? 'with the code' : 'called'} ${quoted(bankCode)}.`,
  ),
  BANK_TAKES_NO_PAYOUTS: kindOf<OfBank>('bankCode', ({ bankName }) => `${bankName} does not take payouts.`),
  BANK_NAME_NOT_FOUND: kindOf<Given>('bankCode', ({ given }) => `There is no bank called ${quoted(given)}.`),
  BANK_NAME_AMBIGUOUS: kindOf<Given & { candidates: readonly string[] }>(
    'bankCode',
    ({ given, candidates }) =>
      `The bank ${isCode(given) ? 'code ' : ''}${quoted(given)} could be ${candidates.join(' or ')}. Write its code.`,
  ),
  BANK_NAME_CORRECTED: kindOf<Given & OfBank & { bankCode: string }>(
    'bankCode',
    ({ given, bankName, bankCode }) => `The bank ${quoted(given)} was read as ${bankName} (${bankCode}).`,
  ),
  BANK_CODE_ZERO_ADDED: kindOf<Given & { bankCode: string }>(
    'bankCode',
    ({ given, bankCode }) => `The bank code ${given} was read as ${bankCode}: its leading zero was missing.`,
  ),
  BANK_CODE_AND_NAME_DIFFER: kindOf<Given & { bankCode: string }>(
    'bankCode',
    ({ bankCode, given }) =>
      `The bank code ${bankCode} and the bank name ${quoted(given)} are not of the same bank; the code counts.`,
  ),
  BANK_CODE_FROM_SORT_CODE: kindOf<Given & OfBank & { bankCode: string }>(
    'bankCode',
    ({ given, bankName, bankCode }) => `The sort code ${given} was read as ${bankName} (${bankCode}).`,
  ),
  CELL_SHOWS_ERROR: kindOf<{ cell: string; text: string }>(
    null,
    ({ cell, text }) => `Cell ${cell} shows the error ${text}. Correct it in the file, or here.`,
  ),
  CELL_NOT_CALCULATED: kindOf<{ cell: string }>(
    null,
    ({ cell }) =>
      `Cell ${cell} has a formula whose result is not stored in the file. Open the file in a spreadsheet program and save it.`,
  ),
  CELL_STRUCK_OUT: kindOf<{ cell: string }>(
    null,
    ({ cell }) => `Cell ${cell} is struck out. Leave the row out, or say here what is to be paid.`,
  ),
  INVISIBLE_CHARACTERS_REMOVED: kindOf<{ column: ListColumn }>(
    null,
    ({ column }) => `Invisible characters were taken out of the ${COLUMN_WORDS[column]}.`,
  ),
  ROW_TOO_LONG: kindOf<{ row: number; cells: number; columns: number }>(
    null,
    ({ row, cells, columns }) =>
      `Row ${row} has ${cells} cells and the header ${columns}: a separator may stand inside of a value, such as the ` +
      'comma in 1,500. Put such values in quotation marks.',
  ),
  AMOUNT_MAY_BE_CUT: kindOf<{ row: number; amount: string; text: string }>(
    null,
    ({ row, amount, text }) =>
      `Row ${row} has ${quoted(amount)} as its amount and ${quoted(text)} in the next cell: that may be one amount with a ` +
      'comma. Put it in quotation marks, or say here what is to be paid.',
  ),
  REPEATS_PAYOUT: kindOf<Repeated>(
    null,
    ({ transactionId, at }) =>
      `Repeats transaction ${transactionId}: the same amount was paid to this account on ${time(at)}.`,
  ),
  REPEATS_SCHEDULE: kindOf<Repeated>(
    null,
    ({ transactionId, at }) =>
      `Repeats transaction ${transactionId}: the same amount is scheduled for this account, ${time(at)}.`,
  ),
  REPEATS_WAITING_PAYOUT: kindOf<Repeated>(
    null,
    ({ transactionId, at }) =>
      `Repeats transaction ${transactionId}: the same amount to this account waits for approval since ${time(at)}.`,
  ),
  REPEATS_BATCH: kindOf<RepeatedList>(
    null,
    ({ row, batchReference, at }) => `Repeats row ${row} of bulk payout ${batchReference}, dispatched on ${time(at)}.`,
  ),
  REPEATS_WAITING_BATCH: kindOf<RepeatedList>(
    null,
    ({ row, batchReference, at }) =>
      `Repeats row ${row} of bulk payout ${batchReference}, uploaded on ${time(at)}, which waits to be dispatched.`,
  ),
  REPEATS_ROW: kindOf<{ row: number }>(null, ({ row }) => `Repeats row ${row}: the same bank, account and amount.`),
  /** An earlier version stored it as a sentence. */
  OTHER: kindOf<{ text: string }>(null, ({ text }) => text),
};

export const itemProblems = createProblems(ITEM_PROBLEMS);
export const itemProblem = itemProblems.problem;

/** As the columns `errors` and `warnings` of an item store them. */
export function problemsText(problems: readonly ProblemData[]): string | null {
  return problems.length === 0 ? null : JSON.stringify(problems);
}

export function keptProblems(text: string | null): ProblemData[] {
  return text === null ? [] : (JSON.parse(text) as ProblemData[]);
}

/** The warning of an item that repeats something. */
export function repeatProblem({ kind, transactionId, batchReference, row, at }: Repeat): ProblemData {
  const params = { transactionId, batchReference, row, at };
  const known = Object.entries(params).filter((entry): entry is [string, string | number] => entry[1] !== null);
  return { code: `REPEATS_${kind}`, field: null, params: Object.fromEntries(known) };
}

/** Why an item cannot be paid, one sentence for each reason. */
export const errorsOf = (item: Pick<ItemRow, 'item_errors'>) => keptProblems(item.item_errors).map(itemProblems.shown);

/** All that is noticed about an item and does not stop its payment: warnings from the file, and what it repeats. */
export function warningsOf(item: Pick<ItemRow, 'item_errors' | 'item_warnings' | 'repeats'>) {
  const repeat = repeatOf(item);
  const errors = keptProblems(item.item_errors);
  const isError = ({ code, field }: ProblemData) =>
    errors.some((error) => error.code === code && error.field === field);
  const noticed = keptProblems(item.item_warnings).filter((problem) => !isError(problem));
  return [...noticed, ...(repeat === null ? [] : [repeatProblem(repeat)])].map(itemProblems.shown);
}

/** The same as sentences, without those that `reasonOf` has: a name that no bank has is an error and a warning of the file. */
export function warningTexts(item: Pick<ItemRow, 'item_errors' | 'item_warnings' | 'repeats'>): string[] {
  const said = new Set(errorsOf(item).map(({ message }) => message));
  return warningsOf(item)
    .map(({ message }) => message)
    .filter((message) => !said.has(message));
}

/** The sentences in one text, as `reason` of the interface has them; null for none. */
export const reasonOf = (item: Pick<ItemRow, 'item_errors'>): string | null =>
  item.item_errors === null
    ? null
    : errorsOf(item)
        .map(({ message }) => message)
        .join(' ');

export type ActionKind = 'ACCEPT' | 'CHANGE' | 'CHECK_AGAIN' | 'LEAVE_OUT' | 'UNDO';

/** Warnings from the file that explain why a cell becomes an error later: they name the group in place of the error. */
export const EXPLAINING = [
  'AMOUNT_MISSING',
  'AMOUNT_UNREADABLE',
  'AMOUNT_TOO_PRECISE',
  'AMOUNT_HAS_KOBO',
  'ACCOUNT_NUMBER_CUT_SHORT',
  'BANK_MISSING',
  'BANK_NAME_NOT_FOUND',
  'BANK_NAME_AMBIGUOUS',
] as const;

/** There was only one way to read it: a note, and no more. */
const HARMLESS: ReadonlySet<string> = new Set([
  'AMOUNT_CORRECTED',
  'ACCOUNT_NUMBER_ZERO_ADDED',
  'ACCOUNT_NUMBER_CORRECTED',
  'PHONE_NUMBER_ZERO_ADDED',
  'BANK_NAME_CORRECTED',
  'BANK_CODE_ZERO_ADDED',
  'INVISIBLE_CHARACTERS_REMOVED',
]);

/** The cell's content is unknown: the row is not paid before somebody enters it. */
const UNREAD: ReadonlySet<string> = new Set([
  'CELL_SHOWS_ERROR',
  'CELL_NOT_CALCULATED',
  'CELL_STRUCK_OUT',
  'ROW_TOO_LONG',
  'AMOUNT_MAY_BE_CUT',
]);

export const isUnread = ({ code }: ProblemData): boolean => UNREAD.has(code);

/** The bank did not answer: the item may be right. */
const SILENT: ReadonlySet<string> = new Set(['ACCOUNT_OWNER_UNKNOWN', 'NAME_ENQUIRY_TIMED_OUT']);

export const isHarmless = (code: string): boolean => HARMLESS.has(code);

/** Fields that may be set to one value for all items of a group. */
const SHARED_FIELDS: ReadonlySet<string | null> = new Set(['bankCode', 'narration', 'phoneNumber']);

export type GroupActionKind = Exclude<ActionKind, 'UNDO'>;

/** Actions that are possible for all items of a group. */
export function actionsFor(group: {
  code: string;
  field: string | null;
  severity: string;
  readsAmounts: boolean;
}): GroupActionKind[] {
  const { code, field, severity, readsAmounts } = group;
  if (severity === 'WARNING') return isHarmless(code) ? ['ACCEPT'] : ['ACCEPT', 'LEAVE_OUT'];
  const changes = SHARED_FIELDS.has(field) || readsAmounts;
  return [...(SILENT.has(code) ? ['CHECK_AGAIN' as const] : []), ...(changes ? ['CHANGE' as const] : []), 'LEAVE_OUT'];
}

/** How many items of a batch repeat something, and what they add up to in minor units. */
export interface Duplicates {
  items: number;
  amountMinor: bigint;
}

/** What an item repeats, as it is stored with the item. */
interface Repeat {
  kind: RepeatKind;
  transactionId: string | null;
  batchReference: string | null;
  /** The row in that batch, or in the item's own. */
  row: number | null;
  at: string | null;
}

/** JSON of a `Repeat`; null for an item that repeats nothing. */
export function repeatText({ kind, subject_id, batch_id, place, at }: Omit<ItemRepeat, 'stored'>): string | null {
  if (kind === null) return null;
  const repeat: Repeat = {
    kind,
    transactionId: subject_id,
    batchReference: batch_id === null ? null : batchReferenceOf(batch_id),
    row: place,
    at: at === null ? null : at.toISOString(),
  };
  return JSON.stringify(repeat);
}

export function repeatOf({ repeats }: Pick<ItemRow, 'repeats'>): Repeat | null {
  return repeats === null ? null : (JSON.parse(repeats) as Repeat);
}
