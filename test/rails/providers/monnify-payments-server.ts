import { decimalText } from '../../../src/money/index.ts';
import type { PaymentHarness } from '../wallet-harness.ts';
import { ok, refusal } from './monnify-envelope.ts';
import type { Handled, Seen, Stage } from './stand-in.ts';
import type { CreditRow, WalletBooks } from './wallet-books.ts';

export const CONTRACT = '4934121686';
const INIT = '/api/v1/merchant/transactions/init-transaction';
const ACCOUNT = '/api/v1/merchant/bank-transfer/init-payment';
const ACCOUNT_MS = 2_400_000;

interface Opened {
  reference: string;
  amountMinor: bigint;
  /** Of its account, once that was asked for. */
  accountNumber: string;
  expiresAt: Date;
  transaction: CreditRow;
}

export interface MonnifyPayments {
  opened: Opened[];
  handle(seen: Seen): Handled | undefined;
  transfer(...given: Parameters<PaymentHarness['transfer']>): CreditRow;
  payPage(...given: Parameters<PaymentHarness['payPage']>): CreditRow;
}

/** Of Monnify, whoever began the payment. */
export function transactionReferenceOf({ id }: CreditRow): string {
  return `MNFY|67|20261120093000|${id}`;
}

/** One transaction for each payment reference, with an account of 40 minutes that is the same however often it is asked for. */
export function createMonnifyPaymentsServer(books: WalletBooks): MonnifyPayments {
  const opened: Opened[] = [];

  function handle({ method, path, text, body }: Seen): Handled | undefined {
    if (method === 'POST' && path === INIT) return begin(body, text);
    return method === 'POST' && path === ACCOUNT ? show(body['transactionReference']) : undefined;
  }

  function begin(body: Record<string, unknown>, text: string): Handled {
    if (body['contractCode'] !== CONTRACT) return refusal(400, '99', 'Invalid contract code supplied.');
    const paymentReference = String(body['paymentReference']);
    if (opened.some((one) => one.reference === paymentReference)) {
      return refusal(422, '99', 'Duplicate payment reference');
    }
    const how = books.openings.shift();
    if (how === 'refused') return refusal(400, '99', 'This payment method is not enabled');
    if (how === 'unlisted') return refusal(400, '99', 'The bank is closed on full moons');
    const [, major = '', fraction = ''] = /"amount":(\d+)(?:\.(\d{1,2}))?[,}]/.exec(text) ?? [];
    const amountMinor = BigInt(`${major}${fraction.padEnd(2, '0')}`);
    if (amountMinor < 2_000n) return refusal(400, '99', 'Amount must be at least 20');
    const facts = { accountNumber: '', amountMinor, status: 'unpaid', opened: { kind: 'page' } } as const;
    const transaction = books.add(paymentReference, facts);
    const expiresAt = new Date(Date.now() + ACCOUNT_MS);
    opened.push({ reference: paymentReference, amountMinor, accountNumber: '', expiresAt, transaction });
    const transactionReference = transactionReferenceOf(transaction);
    return ok({
      transactionReference,
      paymentReference,
      merchantName: 'Ada',
      enabledPaymentMethod: body['paymentMethods'],
      checkoutUrl: `https://sandbox.sdk.monnify.com/checkout/${transactionReference}`,
    });
  }

  function show(transactionReference: unknown): Handled {
    const found = opened.find(({ transaction }) => transactionReferenceOf(transaction) === transactionReference);
    if (found === undefined) return refusal(404, '99', 'Could not find transaction');
    if (found.accountNumber === '') found.accountNumber = String(7_727_632_865 + opened.indexOf(found));
    return ok({
      accountNumber: found.accountNumber,
      accountName: 'Trial transaction',
      bankName: 'Wema bank',
      bankCode: '035',
      accountDurationSeconds: Math.round((found.expiresAt.getTime() - Date.now()) / 1_000),
      ussdPayment: null,
      requestTime: '2026-11-20T10:36:58.16',
      transactionReference,
      paymentReference: found.reference,
      amount: Number(decimalText(found.amountMinor)),
      fee: 0,
      totalPayable: Number(decimalText(found.amountMinor)),
    });
  }

  return {
    opened,
    handle,
    transfer(accountNumber, { amountMinor, at = new Date() }) {
      const payment = opened.find((one) => one.accountNumber === accountNumber);
      if (payment === undefined) throw new Error(`nobody has the account ${accountNumber}`);
      const { transaction } = payment;
      if (at > payment.expiresAt) return Object.assign(transaction, { said: 'EXPIRED' });
      const said = amountMinor < payment.amountMinor ? 'PARTIALLY_PAID' : 'OVERPAID';
      const isExact = amountMinor === payment.amountMinor;
      return Object.assign(transaction, { status: 'confirmed', amountMinor, at, said: isExact ? undefined : said });
    },
    payPage(reference, { channel, isDeclined }) {
      const page = opened.find((one) => one.reference === reference);
      if (page === undefined) throw new Error(`nobody has a page of ${reference}`);
      const status = isDeclined === true ? 'failed' : 'confirmed';
      return Object.assign(page.transaction, { channel, status, at: new Date() });
    },
  };
}

export function monnifyPaymentStage({ path, body }: Seen): Stage | undefined {
  if (path === ACCOUNT) return 'showAccount';
  if (path !== INIT) return undefined;
  return body?.redirectUrl === undefined ? 'openOneTime' : 'openPage';
}
