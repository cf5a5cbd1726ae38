import { ungrouped } from '../money/index.ts';
import type { LineKind } from './classify-line.ts';
import { type FileMoment, readMoment } from './file-moment.ts';
import type { FileFormat } from './read-file.ts';

/** The name of a column as it is compared: only letters and digits count, in any case. */
const spelled = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The text without the apostrophe by which spreadsheets leave it unchanged. */
export const plainText = (text: string) => text.replace(/^'/, '');

const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/;

/** `1,500.5`, `₦1,500.50`, `NGN 1500` and `-1500` (a statement's debit) alike; anything longer or stranger is null. */
export function nairaInKobo(text: string): bigint | null {
  const plain = ungrouped(text.replace(/^-?\s*(?:₦|NGN|N)?\s*-?/i, '').trim());
  const [, whole, part = ''] = AMOUNT.exec(plain) ?? [];
  return whole === undefined ? null : BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

export function wholeKobo(text: string): bigint | null {
  const plain = ungrouped(text.trim());
  return /^\d{1,15}$/.test(plain) ? BigInt(plain) : null;
}

/** Longer than any id, reference or date of a provider. */
const MAX_TEXT = 200;

/** The text of a cell, empty where the file has no such column. */
export const cellOf = (cells: readonly string[], place: number | undefined): string =>
  place === undefined ? '' : (cells[place] ?? '').trim().slice(0, MAX_TEXT);

/** The place of each column: of several names that a file has for one, the first in the list. */
export function placesOf<Name extends string>(
  cells: readonly string[],
  spellings: Readonly<Record<Name, readonly string[]>>,
): Partial<Record<Name, number>> {
  const names = cells.map(spelled);
  const places: Partial<Record<Name, number>> = {};
  for (const [column, known] of Object.entries(spellings) as [Name, readonly string[]][]) {
    const found = known.find((spelling) => names.includes(spelling));
    if (found !== undefined) places[column] = names.indexOf(found);
  }
  return places;
}

/**
 * The names that rails, and people who make such files by hand, give the columns. They are those of the fields in the
 * public documentation of Paystack (`transferred_at`), Flutterwave (`complete_message` is ignored, `created_at` is not)
 * and Monnify (`createdOn`, `sessionId`), and of bank statements. Only letters and digits count, in any case.
 *
 * Where a file has several columns for one field, the first in this list is taken: a rail's own reference comes after
 * ours, and when a transfer was made comes after when it ended.
 */
const SPELLINGS = {
  reference: [
    'reference',
    'merchantreference',
    'paymentreference',
    'transferreference',
    'clientreference',
    'externalreference',
    'ourreference',
    'transactionreference',
    'ref',
  ],
  sessionId: ['sessionid', 'nipsessionid', 'nibsssessionid', 'session', 'sessionnumber'],
  amountKobo: ['amountkobo', 'amountinkobo', 'amountminor', 'amountinminorunits'],
  amountNaira: ['amountngn', 'amountnaira', 'amountinnaira', 'amount', 'transferamount', 'amountpaid', 'value'],
  debit: ['debit', 'debitamount', 'debitngn', 'withdrawal', 'withdrawals', 'moneyout'],
  credit: ['credit', 'creditamount', 'creditngn', 'deposit', 'deposits', 'moneyin'],
  currency: ['currency', 'currencycode'],
  // The payee; a statement's own account is named above its header.
  accountNumber: [
    'beneficiaryaccountnumber',
    'beneficiaryaccount',
    'destinationaccountnumber',
    'destinationaccount',
    'recipientaccountnumber',
    'recipientaccount',
    'accountnumber',
    'nuban',
  ],
  bankCode: ['beneficiarybankcode', 'destinationbankcode', 'recipientbankcode', 'bankcode'],
  date: [
    'completedat',
    'datecompleted',
    'completedon',
    'transferredat',
    'paidat',
    'paymentdate',
    'settlementdate',
    'transactiondate',
    'transferdate',
    'valuedate',
    'date',
    'datetime',
    'createdat',
    'createdon',
    'datecreated',
    'dateinitiated',
  ],
  status: ['status', 'transactionstatus', 'transferstatus', 'paymentstatus'],
  direction: ['type', 'transactiontype', 'direction', 'drcr', 'debitcredit'],
} as const;

type Column = keyof typeof SPELLINGS;
export type ColumnPlaces = Partial<Record<Column, number>>;

/** What a header has to name before anything can be compared, in words. */
const NEEDED = [
  'a reference or a session id',
  'an amount (or debit and credit)',
  'a date',
  'a status (or debit and credit)',
] as const;

/** The place of each column, or undefined where this row is no header: then it is one of the lines above the header. */
function readHeader(cells: readonly string[]): ColumnPlaces | undefined {
  const places: ColumnPlaces = placesOf(cells, SPELLINGS);
  const has = (...columns: Column[]) => columns.some((column) => places[column] !== undefined);
  const complete =
    has('reference', 'sessionId') &&
    has('amountKobo', 'amountNaira', 'debit', 'credit') &&
    has('date') &&
    has('status', 'direction', 'debit', 'credit');
  return complete ? places : undefined;
}

/** One line of a rail's file, as far as it could be read. */
export interface SettlementLine {
  lineNumber: number;
  /** Ours is 32 hex digits; any other is stored as it was given. */
  reference: string | null;
  sessionId: string | null;
  /** Kobo; null where it could not be read. */
  amountMinor: bigint | null;
  currency: string;
  /** The payee's account; null where the file does not have it. */
  accountNumber: string | null;
  bankCode: string | null;
  occurredAt: FileMoment | null;
  statusText: string;
  kind: LineKind;
  /** Why the line cannot be compared, in words; null where it can. */
  problem: string | null;
}

/** Only these words are final. Any other is `UNCLEAR`, like every answer that a rail does not explain. */
const KINDS: ReadonlyMap<string, LineKind> = new Map(
  Object.entries<LineKind>({
    success: 'PAID',
    successful: 'PAID',
    succeeded: 'PAID',
    completed: 'PAID',
    complete: 'PAID',
    paid: 'PAID',
    settled: 'PAID',
    debit: 'PAID',
    dr: 'PAID',
    reversed: 'REVERSED',
    reversal: 'REVERSED',
    returned: 'REVERSED',
    refunded: 'REVERSED',
    credit: 'REVERSED',
    cr: 'REVERSED',
    failed: 'FAILED',
    failure: 'FAILED',
    rejected: 'FAILED',
    declined: 'FAILED',
  }),
);

/** Where no currency is named, it is the one of this installation. */
const CURRENCY = 'NGN';

/** `amountsInKobo`: the file's plain amount column counts kobo, as the JSON of some rails does. */
function readLine(
  cells: readonly string[],
  places: ColumnPlaces,
  { lineNumber, amountsInKobo }: { lineNumber: number; amountsInKobo: boolean },
): SettlementLine {
  const text = (place: number | undefined) => cellOf(cells, place);
  const status = text(places.status);
  const direction = text(places.direction);
  const { amountMinor, side } = readAmount(text, places, amountsInKobo);
  const occurredAt = readMoment(text(places.date));
  const currency = text(places.currency).toUpperCase() || CURRENCY;
  const reference = plainReference(text(places.reference));
  const sessionId = plainText(text(places.sessionId)) || null;
  return {
    lineNumber,
    reference,
    sessionId,
    amountMinor,
    currency,
    accountNumber: plainText(text(places.accountNumber)) || null,
    bankCode: plainText(text(places.bankCode)) || null,
    occurredAt,
    statusText: [status, direction].filter((word) => word !== '').join(' ') || (side ?? ''),
    kind: kindOf(status, direction, side),
    problem: problemOf({ reference, sessionId, amountMinor, occurredAt }),
  };
}

function problemOf(line: Pick<SettlementLine, 'reference' | 'sessionId' | 'amountMinor' | 'occurredAt'>) {
  if (line.reference === null && line.sessionId === null) return 'it has neither a reference nor a session id';
  if (line.amountMinor === null) return 'its amount cannot be read';
  if (line.occurredAt === null) return 'its date cannot be read';
  return null;
}

/** A status counts more than a direction, but a success on the credit side is money that came back. */
function kindOf(status: string, direction: string, side: 'debit' | 'credit' | undefined): LineKind {
  const kind = (word: string): LineKind => KINDS.get(word.toLowerCase().replaceAll(/[^a-z]/g, '')) ?? 'UNCLEAR';
  const way = side ?? direction;
  if (status === '') return kind(way);
  return kind(status) === 'PAID' && kind(way) === 'REVERSED' ? 'REVERSED' : kind(status);
}

/** Our reference in any spelling: a file may add the hyphens of a UUID and capital letters. */
function plainReference(text: string): string | null {
  if (text === '') return null;
  const plain = plainText(text);
  const hex = plain.toLowerCase().replaceAll('-', '');
  return /^[0-9a-f]{32}$/.test(hex) ? hex : plain;
}

function readAmount(
  text: (place: number | undefined) => string,
  places: ColumnPlaces,
  amountsInKobo: boolean,
): { amountMinor: bigint | null; side?: 'debit' | 'credit' } {
  if (places.amountKobo !== undefined) return { amountMinor: wholeKobo(text(places.amountKobo)) };
  if (places.amountNaira !== undefined) {
    const amount = text(places.amountNaira);
    return { amountMinor: amountsInKobo ? wholeKobo(amount) : nairaInKobo(amount) };
  }
  const [side, ...others] = (['debit', 'credit'] as const).filter((one) => (nairaInKobo(text(places[one])) ?? 0n) > 0n);
  // A line that names both sides, or takes a credit back, does not say in which direction it moved.
  if (side === undefined || others.length > 0 || (side === 'credit' && text(places.credit).includes('-'))) {
    return { amountMinor: null };
  }
  return { amountMinor: nairaInKobo(text(places[side])), side };
}

/** Files of what a rail paid out. `amountsInKobo`: their plain amount column counts kobo. */
export const payoutFormat = ({
  amountsInKobo,
}: {
  amountsInKobo: boolean;
}): FileFormat<ColumnPlaces, SettlementLine> => ({
  needed: NEEDED,
  readHeader,
  readLine: (cells, places, lineNumber) => readLine(cells, places, { lineNumber, amountsInKobo }),
});
