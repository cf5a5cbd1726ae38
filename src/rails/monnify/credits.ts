import { fromDecimal } from '../decimal-amount.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';
import { accountNumberOf, factOf } from '../wallet-answers.ts';
import type { ConfirmedCredit } from '../wallet-provider.ts';

/** One payment as Monnify shows it in the answer to a query. */
export interface MonnifyPayment {
  /** Its own: `MNFY|67|20220725111957|000283`. */
  transactionReference: string;
  /** Its own too where a reserved account was paid; else of whoever began the payment. */
  paymentReference: string;
  status: string;
  /** Undefined where a fact that every payment has is missing or cannot be read. */
  credit: ConfirmedCredit | undefined;
}

const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';
const CURRENCY = /^[A-Z]{3}$/;

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
  const amountMinor = fromDecimal(fields['amountPaid']);
  const currency = textOf(fields['currency']);
  if (amountMinor === null || amountMinor <= 0n || !CURRENCY.test(currency)) return undefined;
  const product = fieldsOf(fields['product']);
  const accountReference = product?.['type'] === RESERVED_ACCOUNT ? textOf(product['reference']) : '';
  const payer = fieldsOf(fields['accountDetails']) ?? firstOf(fields['accountPayments']);
  return {
    providerTransactionId,
    providerReference: factOf(fields['paymentReference']),
    sessionId: factOf(payer?.['sessionId']),
    accountNumber: accountPaidTo(fields),
    ...(accountReference !== '' && { accountReference }),
    amountMinor,
    currency,
    providerFeeMinor: feeOf(amountMinor, fromDecimal(fields['settlementAmount'])),
    mode: null,
    paidAt: lagosTime(textOf(fields['paidOn'])),
    payerName: factOf(payer?.['accountName']),
    payerAccountNumber: factOf(payer?.['accountNumber']),
    payerBankName: null,
    narration: null,
  };
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
/** Lagos is an hour ahead of UTC all year. */
const LAGOS_HOURS = 1;

/** `25/07/2022 11:20:20 AM` or `2021-11-17 11:28:42.615`: Monnify names no zone, its clock is that of Lagos. */
export function lagosTime(text: string): Date | null {
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) {
    const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = dayFirst.slice(1, 7).map(Number);
    if (hour < 1 || hour > 12) return null;
    const isAfternoon = dayFirst[7]?.toUpperCase() === 'P';
    return timeOf({ year, month, day, hour: (hour % 12) + (isAfternoon ? 12 : 0), minute, second, ms: 0 });
  }
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = yearFirst.slice(1, 7).map(Number);
  return timeOf({ year, month, day, hour, minute, second, ms: Number((yearFirst[7] ?? '').padEnd(3, '0')) });
}

type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'ms', number>;

/** Null for a day or an hour that is in no calendar, which a `Date` would carry over to the next. */
function timeOf({ year, month, day, hour, minute, second, ms }: Parts): Date | null {
  const asWritten = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  const isReal =
    asWritten.getUTCMonth() === month - 1 &&
    asWritten.getUTCDate() === day &&
    asWritten.getUTCHours() === hour &&
    asWritten.getUTCMinutes() === minute &&
    asWritten.getUTCSeconds() === second;
  return isReal ? new Date(asWritten.getTime() - LAGOS_HOURS * 3_600_000) : null;
}
