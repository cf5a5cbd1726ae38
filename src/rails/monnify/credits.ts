import { LAGOS_OFFSET, lagosTime } from '../../platform/clock.ts';
import { fromDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import { UnusableAnswerError } from '../port.ts';
import { fieldsOf, listedIn, textOf } from '../provider-answers.ts';
import { accountNumberOf, creditPage, factOf, isOurReference, pageOf, requiredFactsOf } from '../wallet-answers.ts';
import type { ConfirmedCredit, CreditHint, CreditListRequest, CreditPage, PaymentChannel } from '../wallet-provider.ts';
import type { MonnifySession } from './session.ts';
import { openEnvelope, readUnusable } from './transfers.ts';
import { readPaymentStatus } from './wallet-readings.ts';

/** One payment as Monnify shows it in the answer to a query. */
export interface MonnifyPayment {
  /** Its own: `MNFY|67|20220725111957|000283`. */
  transactionReference: string;
  /**
   * Monnify's own where a reserved account was paid; otherwise the reference of the system that began the payment, such
   * as ours.
   */
  paymentReference: string;
  status: string;
  /** Undefined where a fact that every payment has is missing or cannot be read. */
  credit: ConfirmedCredit | undefined;
}

const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';
/** `paymentMethod`. What is not here is a way to pay that the port has no word for. */
const CHANNELS: Readonly<Record<string, PaymentChannel>> = {
  ACCOUNT_TRANSFER: 'BANK_TRANSFER',
  CARD: 'CARD',
  USSD: 'USSD',
};

/**
 * Undefined for anything that has no references and no status. What a query does not have: the account number that was
 * paid to (it has our reference of the account), the network's session id, what the payer wrote, and whether it is play
 * money. `accountDetails` are the payer's, with most digits of the number hidden.
 */
export function toPayment(value: unknown): MonnifyPayment | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  const transactionReference = textOf(fields['transactionReference']);
  const status = textOf(fields['paymentStatus']);
  if (transactionReference === '' || status === '') return undefined;
  const paymentReference = textOf(fields['paymentReference']);
  return { transactionReference, paymentReference, status, credit: creditOf(fields, transactionReference) };
}

function creditOf(fields: Record<string, unknown>, providerTransactionId: string): ConfirmedCredit | undefined {
  const facts = requiredFactsOf(providerTransactionId, fromDecimal(fields['amountPaid']), textOf(fields['currency']));
  if (facts === undefined) return undefined;
  const accountReference = ourReferenceIn(fields);
  const channel = listedIn(CHANNELS, textOf(fields['paymentMethod']));
  const payer = fieldsOf(fields['accountDetails']) ?? firstOf(fields['accountPayments']);
  return {
    ...facts,
    providerReference: factOf(fields['paymentReference']),
    sessionId: factOf(payer?.['sessionId']),
    accountNumber: accountPaidTo(fields),
    ...(accountReference !== '' && { accountReference }),
    ...(channel !== undefined && { channel }),
    providerFeeMinor: feeOf(facts.amountMinor, fromDecimal(fields['settlementAmount'])),
    mode: null,
    paidAt: instantInLagos(textOf(fields['paidOn'])),
    payerName: factOf(payer?.['accountName']),
    payerAccountNumber: factOf(payer?.['accountNumber']),
    payerBankName: null,
    narration: null,
  };
}

/** Of the reserved account that was paid, or of what was opened for one payment; empty for other products of Monnify. */
function ourReferenceIn(fields: Record<string, unknown>): string {
  const product = fieldsOf(fields['product']);
  if (product?.['type'] === RESERVED_ACCOUNT) return textOf(product['reference']);
  const paymentReference = textOf(fields['paymentReference']);
  return isOurReference(paymentReference) ? paymentReference : '';
}

/** What webhooks say of it, and queries do not. */
export function accountPaidTo(fields: Record<string, unknown>): string | null {
  return accountNumberOf(fieldsOf(fields['destinationAccountInformation'])?.['accountNumber']);
}

/** An array for transfers, an empty object for other products. */
export function firstOf(value: unknown): Record<string, unknown> | undefined {
  return Array.isArray(value) ? fieldsOf(value[0]) : undefined;
}

/** What is not settled is the fee. Null where that cannot be, or is not said yet. */
function feeOf(amountMinor: bigint, settledMinor: bigint | null): bigint | null {
  if (settledMinor === null || settledMinor < 0n || settledMinor > amountMinor) return null;
  return amountMinor - settledMinor;
}

const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP])M$/i;
const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2}) (\d{1,2}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d*)?$/;

/** `25/07/2022 11:20:20 AM` or `2021-11-17 11:28:42.615`: Monnify names no zone, its clock is that of Lagos. */
export function instantInLagos(text: string): Date | null {
  const local = localTimeOf(text);
  if (local === undefined) return null;
  const instant = new Date(`${local}${LAGOS_OFFSET}`);
  // A day that is in no calendar would be carried over to the next month.
  const isReal = !Number.isNaN(instant.getTime()) && lagosTime(instant).startsWith(local);
  return isReal ? instant : null;
}

/** As ISO 8601 writes it, without a zone. */
function localTimeOf(text: string): string | undefined {
  const two = (digits: string | number) => String(digits).padStart(2, '0');
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) {
    const [, day = '', month = '', year = '', hour = '', minute = '', second = '', half = ''] = dayFirst;
    if (Number(hour) < 1 || Number(hour) > 12) return undefined;
    const ofDay = (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
    return `${year}-${two(month)}-${two(day)}T${two(ofDay)}:${minute}:${second}`;
  }
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst === null) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] = yearFirst;
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}.${fraction.padEnd(3, '0')}`;
}

/** Lines that are asked for on one page; Monnify may give fewer. */
const PAGE_LINES = 100;

/**
 * By page number, of any status: Monnify filters by one alone, and a payment of another amount than was asked for is
 * OVERPAID or PARTIALLY_PAID. `from` and `to` are milliseconds; a payment on the edge may be on two lists, never on none.
 */
export async function listCredits(
  session: MonnifySession,
  { from, to, cursor }: CreditListRequest,
  signal: AbortSignal,
): Promise<CreditPage> {
  const page = pageOf(cursor);
  const answer = await session.request({
    method: 'GET',
    path: '/api/v1/transactions/search',
    query: {
      // Monnify counts from zero.
      page: String(page - 1),
      size: String(PAGE_LINES),
      from: String(from.getTime()),
      to: String(to.getTime()),
    },
    signal,
  });
  const list = listIn(answer);
  if (list === undefined) {
    const { reading, code } = readUnusable(answer);
    throw new UnusableAnswerError(reading, code);
  }
  const { lines, isLast } = list;
  return creditPage({ page, lines, isLast }, lines.filter(isCredit), hintOf);
}

/**
 * False only where the line itself shows that no money was ever there, such as that of a page on which nobody has paid. What went
 * back is listed too: no webhook says so.
 */
function isCredit(line: unknown): boolean {
  const status = textOf(fieldsOf(line)?.['paymentStatus']);
  return status === '' || readPaymentStatus(status) === 'confirmed' || isReversed(line);
}

const isReversed = (line: unknown): boolean =>
  readPaymentStatus(textOf(fieldsOf(line)?.['paymentStatus'])) === 'reversed';

/** The documentation shows a list without the envelope that every other answer has, so both are read. */
export function listIn(answer: ProviderAnswer): { lines: unknown[]; isLast: boolean } | undefined {
  const { data, refused } = openEnvelope(answer);
  const fields = fieldsOf(data) ?? (answer.status === 200 && !refused ? fieldsOf(answer.body) : undefined);
  const content = fields?.['content'];
  return Array.isArray(content) ? { lines: content, isLast: fields?.['last'] === true } : undefined;
}

function hintOf(line: unknown): CreditHint | undefined {
  const fields = fieldsOf(line);
  const providerTransactionId = factOf(fields?.['transactionReference']);
  const providerReference = factOf(fields?.['paymentReference']);
  if (providerTransactionId === null && providerReference === null) return undefined;
  const keys = { providerTransactionId, providerReference, sessionId: null, accountNumber: null };
  if (isReversed(line)) return { ...keys, amountMinor: null, isReversal: true };
  return { ...keys, amountMinor: fromDecimal(fields?.['amountPaid'] ?? fields?.['amount']) };
}
