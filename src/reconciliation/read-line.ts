import type { ColumnPlaces } from './file-columns.ts';
import { type FileMoment, readMoment } from './read-moment.ts';
import type { LineKind } from './settlement-kinds.ts';

/** One line of a rail's file, as far as it could be read. */
export interface SettlementLine {
  lineNumber: number;
  /** Ours is 32 hex digits; anything else is kept as it was given. */
  reference: string | null;
  sessionId: string | null;
  /** Kobo; null where it could not be read. */
  amountMinor: bigint | null;
  currency: string;
  /** Whom it went to; null where the file does not say. */
  accountNumber: string | null;
  bankCode: string | null;
  occurredAt: FileMoment | null;
  statusText: string;
  kind: LineKind;
  /** Why the line cannot be compared, in words; null where it can. */
  problem: string | null;
}

/** Only these words end anything. What is not listed is `UNCLEAR`, like every answer that a rail does not explain. */
const KINDS: Readonly<Record<string, LineKind>> = {
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
};

/** A currency that is not named is the one that this installation keeps. */
const CURRENCY = 'NGN';
const MAX_TEXT = 200;

/** `amountsInKobo`: the file's plain amount column counts kobo, as the JSON of some rails does. */
export function readLine(
  cells: readonly string[],
  places: ColumnPlaces,
  { lineNumber, amountsInKobo }: { lineNumber: number; amountsInKobo: boolean },
): SettlementLine {
  const text = (place: number | undefined) =>
    place === undefined ? '' : (cells[place] ?? '').trim().slice(0, MAX_TEXT);
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

/** A status says more than a direction, but a success on the credit side is money that came back. */
function kindOf(status: string, direction: string, side: 'debit' | 'credit' | undefined): LineKind {
  const kind = (word: string): LineKind => KINDS[word.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? 'UNCLEAR';
  const way = side ?? direction;
  if (status === '') return kind(way);
  return kind(status) === 'PAID' && kind(way) === 'REVERSED' ? 'REVERSED' : kind(status);
}

/** As it was before somebody's spreadsheet was told to leave it alone. */
const plainText = (text: string) => text.replace(/^'/, '');

/** Ours whatever was done to its look; hyphens of a UUID and capital letters are nobody's but the file's. */
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
  for (const side of ['debit', 'credit'] as const) {
    const amountMinor = nairaInKobo(text(places[side]));
    if (amountMinor !== null && amountMinor > 0n) return { amountMinor, side };
  }
  return { amountMinor: null };
}

const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/;

/** `1,500.5`, `₦1,500.50`, `NGN 1500` and `-1500` (a statement's debit) alike; anything longer or stranger is null. */
function nairaInKobo(text: string): bigint | null {
  const plain = text.replace(/^-?\s*(?:₦|NGN|N)?\s*-?/i, '').replaceAll(/[,\s\u00a0]/g, '');
  const [, whole, part = ''] = AMOUNT.exec(plain) ?? [];
  return whole === undefined ? null : BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

function wholeKobo(text: string): bigint | null {
  const plain = text.replaceAll(/[,\s\u00a0]/g, '');
  return /^\d{1,15}$/.test(plain) ? BigInt(plain) : null;
}
