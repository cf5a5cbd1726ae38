import { DAY_MS } from '../platform/clock.ts';
import type { Mode } from '../platform/tenant.ts';
import {
  cellOf,
  type FileFormat,
  type FileMoment,
  nairaInKobo,
  placesOf,
  plainText,
  readMoment,
  wholeKobo,
} from '../reconciliation/index.ts';
import { NOTHING_OF_OURS } from './classify-line.ts';
import type { ProviderLineRow } from './queries.ts';

/**
 * The names that providers, and people who make such files by hand, give the columns. They are the neutral ones of
 * docs/reconciliation.md and those of the fields that the public documentation of Paystack (`id`, `amount`, `fees`,
 * `domain`), Flutterwave (`id`, `charged_amount`, `app_fee`, `merchant_fee`, `stampduty_charge`, `settlement_amount`) and
 * Monnify (`transactionReference`, `amountPaid`, `fee`, `settlementAmount`) gives the payments of a settlement. Only letters
 * and digits count, in any case. Where a file has several columns for one field, the first in this list is taken.
 */
const SPELLINGS = {
  transactionId: ['providertransactionid', 'transactionid', 'id', 'transactionreference'],
  sessionId: ['sessionid', 'nipsessionid', 'nibsssessionid', 'session'],
  reference: ['reference', 'paymentreference', 'txref', 'ourreference', 'merchantreference', 'flwref'],
  grossKobo: ['grosskobo', 'amountkobo', 'amountinkobo', 'amountminor'],
  gross: ['gross', 'grossamount', 'chargedamount', 'amountpaid', 'transactionamount', 'amountngn', 'amount'],
  feeKobo: ['feekobo', 'feeskobo', 'feeinkobo'],
  fee: ['fee', 'fees', 'providerfee', 'transactionfee'],
  appFee: ['appfee'],
  merchantFee: ['merchantfee'],
  stampDuty: ['stampdutycharge'],
  netKobo: ['netkobo', 'netinkobo'],
  net: ['net', 'netamount', 'settlementamount', 'settledamount', 'amountsettled'],
  currency: ['currency', 'currencycode'],
  mode: ['mode', 'domain'],
  date: ['paidat', 'paidon', 'completedat', 'completedon', 'transactiondate', 'date', 'createdat'],
  type: ['type', 'transactiontype', 'entrytype'],
} as const;

type Column = keyof typeof SPELLINGS;
type ColumnPlaces = Partial<Record<Column, number>>;

const NEEDED = ['a transaction id or a session id', 'a gross amount', 'a fee or a net amount'] as const;

const FEES = ['feeKobo', 'fee', 'appFee'] as const satisfies Column[];

function readHeader(cells: readonly string[]): ColumnPlaces | undefined {
  const places: ColumnPlaces = placesOf(cells, SPELLINGS);
  const has = (...columns: readonly Column[]) => columns.some((column) => places[column] !== undefined);
  const isWhole = has('transactionId', 'sessionId') && has('grossKobo', 'gross') && has(...FEES, 'netKobo', 'net');
  return isWhole ? places : undefined;
}

/** One line of a provider's settlement, as far as it could be read. Amounts in kobo, below zero for deductions. */
export interface ProviderLine {
  lineNumber: number;
  transactionId: string | null;
  sessionId: string | null;
  reference: string | null;
  grossMinor: bigint | null;
  feeMinor: bigint | null;
  netMinor: bigint | null;
  currency: string;
  lineMode: Mode | null;
  occurredAt: FileMoment | null;
  /** The result of a line that is compared with nothing; null for others. */
  result: 'UNREADABLE' | 'DEDUCTION' | null;
  detail: string | null;
  /** What it deducts for; null: it is about a payment. */
  deduction: ProviderLineRow['deduction'];
}

const CURRENCY = 'NGN';
const MODES: ReadonlyMap<string, Mode> = new Map(
  Object.entries<Mode>({ test: 'SANDBOX', sandbox: 'SANDBOX', live: 'LIVE', production: 'LIVE' }),
);
/** The words of providers for their deductions. */
const DEDUCTIONS: ReadonlyMap<string, NonNullable<ProviderLine['deduction']>> = new Map(
  Object.entries<NonNullable<ProviderLine['deduction']>>({
    refund: 'REFUND',
    chargeback: 'DISPUTE',
    dispute: 'DISPUTE',
    reversal: 'OTHER',
    deduction: 'OTHER',
    debit: 'OTHER',
  }),
);

function readLine(
  cells: readonly string[],
  places: ColumnPlaces,
  { lineNumber, amountsInKobo }: { lineNumber: number; amountsInKobo: boolean },
): ProviderLine {
  const text = (column: Column) => cellOf(cells, places[column]);
  const amount = (kobo: Column, plain: Column) =>
    text(kobo) === '' ? signed(text(plain), amountsInKobo) : signed(text(kobo), true);
  const grossMinor = amount('grossKobo', 'gross');
  const given = feeOf(text, amountsInKobo);
  const givenNet = amount('netKobo', 'net');
  // One of fee and net follows from the other; a cell that is no amount is not replaced.
  const feeMinor = given.isThere ? given.minor : difference(grossMinor, givenNet);
  const hasNet = text('netKobo') !== '' || text('net') !== '';
  const netMinor = hasNet ? givenNet : difference(grossMinor, feeMinor);
  const line = {
    lineNumber,
    transactionId: plainText(text('transactionId')) || null,
    sessionId: plainText(text('sessionId')) || null,
    reference: plainText(text('reference')) || null,
    grossMinor,
    feeMinor,
    netMinor,
    currency: text('currency').toUpperCase() || CURRENCY,
    lineMode: MODES.get(text('mode').toLowerCase()) ?? null,
    occurredAt: readMoment(text('date')),
  };
  return readingOf(line, text('type'));
}

/** A line as far as it can be compared. A deduction is below zero, whatever sign the file gives it. */
function readingOf(line: Omit<ProviderLine, 'result' | 'detail' | 'deduction'>, type: string): ProviderLine {
  const { transactionId, sessionId, reference, grossMinor, feeMinor, netMinor } = line;
  const unreadable = (detail: string) => ({ ...line, result: 'UNREADABLE', detail, deduction: null }) as const;
  if (grossMinor === null || feeMinor === null || netMinor === null) return unreadable('an amount cannot be read');
  const deduction = DEDUCTIONS.get(type.toLowerCase()) ?? (grossMinor < 0n ? 'OTHER' : null);
  if (transactionId === null && sessionId === null && (deduction === null || reference === null)) {
    return unreadable('it has neither a transaction id nor a session id');
  }
  if (grossMinor === 0n) return unreadable('its amount is zero');
  if (deduction === null) return { ...line, result: null, detail: null, deduction };
  const taken = grossMinor < 0n ? { grossMinor, netMinor } : takenOf(grossMinor, feeMinor, netMinor);
  return { ...line, ...taken, result: 'DEDUCTION', detail: NOTHING_OF_OURS, deduction };
}

/** The amounts of a line whose type says that it is a deduction, and whose amount has no sign. */
function takenOf(grossMinor: bigint, feeMinor: bigint, netMinor: bigint) {
  const isDerived = netMinor === grossMinor - feeMinor;
  const net = isDerived ? -grossMinor - feeMinor : -netMinor;
  return { grossMinor: -grossMinor, netMinor: netMinor < 0n ? netMinor : net };
}

const difference = (from: bigint | null, less: bigint | null): bigint | null =>
  from === null || less === null ? null : from - less;

/** A fee of its own column, or those that make one together. */
function feeOf(text: (column: Column) => string, inKobo: boolean): { isThere: boolean; minor: bigint | null } {
  if (text('feeKobo') !== '') return { isThere: true, minor: signed(text('feeKobo'), true) };
  if (text('fee') !== '') return { isThere: true, minor: signed(text('fee'), inKobo) };
  const parts = (['appFee', 'merchantFee', 'stampDuty'] as const).filter((column) => text(column) !== '');
  const amounts = parts.map((column) => signed(text(column), inKobo));
  const minor = amounts.some((one) => one === null)
    ? null
    : amounts.reduce<bigint>((sum, one) => sum + (one as bigint), 0n);
  return { isThere: parts.length > 0, minor };
}

const BRACKETED = /^\(([^()]*)\)$/;

/**
 * `-1,500.50`, `1500.50-`, `(1500.50)` and `₦-1500.5` take; null for what is no amount, such as a formula or `1-500`.
 */
function signed(text: string, inKobo: boolean): bigint | null {
  const bare = BRACKETED.exec(text)?.[1] ?? text;
  const plain = bare
    .replace(/^([^\d-]*)-/, '$1')
    .replace(/-$/, '')
    .trim();
  const minor = inKobo ? wholeKobo(plain) : nairaInKobo(plain);
  return minor !== null && (bare !== text || plain !== bare.trim()) ? -minor : minor;
}

/** Files of what a provider settled. `amountsInKobo`: their plain columns count kobo. */
export const providerFormat = ({
  amountsInKobo,
}: {
  amountsInKobo: boolean;
}): FileFormat<ColumnPlaces, ProviderLine> => ({
  needed: NEEDED,
  readHeader,
  readLine: (cells, places, lineNumber) => readLine(cells, places, { lineNumber, amountsInKobo }),
});

/** A time, or a day, which ends at its end in Lagos; null for any other text. */
export function readCutOff(text: string): Date | null {
  const moment = readMoment(text);
  return moment?.wholeDay === true ? new Date(moment.at.getTime() + DAY_MS) : (moment?.at ?? null);
}
