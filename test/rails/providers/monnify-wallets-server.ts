import { decimalText } from '../../../src/money/index.ts';
import type { CreditKey } from '../../../src/rails/index.ts';
import type { DepositFacts } from '../wallet-harness.ts';
import { ok, refusal } from './monnify-envelope.ts';
import {
  CONTRACT,
  createMonnifyPaymentsServer,
  type MonnifyPayments,
  monnifyPaymentStage,
  transactionReferenceOf as referenceOf,
} from './monnify-payments-server.ts';
import { createMonnifySettlementsServer } from './monnify-settlements-server.ts';
import { createRefundBooks, type RefundBooks } from './refund-books.ts';
import { handleMonnifyRefund, refundStage } from './refund-servers.ts';
import type { Handled, Seen, Stage } from './stand-in.ts';
import { type AccountRow, type CreditRow, createWalletBooks, type WalletBooks } from './wallet-books.ts';

export interface MonnifyWallets {
  books: WalletBooks;
  /** More than this is given on no page, however much is asked for. */
  pages: { max: number; wrapped: boolean; marksLast: boolean };
  handle(seen: Seen): Handled | undefined;
  deposit(facts: DepositFacts): CreditKey;
  /** By the references of Monnify. */
  creditOf(key: CreditKey): CreditRow;
  /** The same key in the numbers of the books. */
  inBooks(key: CreditKey): CreditKey;
  successfulTransaction(credit: CreditRow, changes?: { amountMinor?: bigint }): Buffer;
  payments: MonnifyPayments;
  settlements: ReturnType<typeof createMonnifySettlementsServer>;
  /** By what queries find it. */
  keyOf(credit: CreditRow): CreditKey;
  refunds: RefundBooks;
}

const STATUSES: Readonly<Record<CreditRow['status'], string>> = {
  confirmed: 'PAID',
  pending: 'PENDING',
  failed: 'FAILED',
  reversed: 'REVERSED',
  unlisted: 'ABANDONED',
  unpaid: 'PENDING',
};
const METHODS = { BANK_TRANSFER: 'ACCOUNT_TRANSFER', CARD: 'CARD', USSD: 'USSD' } as const;
const statusOf = (credit: CreditRow) => credit.said ?? STATUSES[credit.status];
const ACCOUNTS = '/api/v2/bank-transfer/reserved-accounts';
const CLOSING = '/api/v1/bank-transfer/reserved-accounts/reference/';
const QUERY = '/api/v2/merchant/transactions/query';
const SEARCH = '/api/v1/transactions/search';
const LAGOS_MS = 3_600_000;

/** Reserved accounts at two banks each, and payments to them in decimal naira, as text in queries. */
export function createMonnifyWalletsServer(): MonnifyWallets {
  const books = createWalletBooks('SANDBOX');
  const pages = { max: 20, wrapped: true, marksLast: true };
  const payments = createMonnifyPaymentsServer(books);
  const settlements = createMonnifySettlementsServer();
  const refunds = createRefundBooks(
    (id) => books.credits.find((credit) => keyOf(credit).providerTransactionId === id)?.amountMinor,
  );

  function handle(seen: Seen): Handled | undefined {
    const { method, path, query, body } = seen;
    if (method === 'POST' && path === ACCOUNTS) return open(body);
    if (method === 'GET' && path.startsWith(`${ACCOUNTS}/`)) return lookUp(lastOf(path));
    if (method === 'DELETE' && path.startsWith(CLOSING)) return close(lastOf(path));
    if (method === 'GET' && path === QUERY) return status(query);
    return method === 'GET' && path === SEARCH
      ? search(query)
      : (settlements.handle(seen) ?? payments.handle(seen) ?? handleMonnifyRefund(refunds, seen));
  }

  const openAccountOf = (reference: string) => books.accounts.find((one) => one.reference === reference && one.isOpen);

  function open(body: Record<string, unknown>): Handled {
    if (body['contractCode'] !== CONTRACT) return refusal(400, '99', 'Invalid contract code supplied.');
    // "bvn and/or nin": one of them is enough.
    if (!/^\d{11}$/.test(String(body['bvn'] ?? body['nin'])))
      return refusal(400, '99', 'BVN is invalid. Must be 11 digits');
    if (body['restrictPaymentSource'] !== false) return refusal(400, '99', 'allowedPaymentSources is required');
    const reference = String(body['accountReference']);
    if (openAccountOf(reference) !== undefined) {
      return refusal(422, '99', 'You can not reserve two accounts with the same reference.');
    }
    switch (books.openings.shift()) {
      case 'refused':
        return refusal(422, '99', 'You can not reserve more than 1 account(s) for a customer');
      case 'unlisted':
        return refusal(400, '99', 'The bank is closed on full moons');
      default:
    }
    const account = books.open(reference, String(body['accountName']).slice(0, 3));
    const isAll = body['getAllAvailableBanks'] === true;
    return ok(accountView(account, isAll ? BANKS : BANKS.filter(({ code }) => includes(body, code))));
  }

  function lookUp(reference: string): Handled {
    const account = openAccountOf(reference);
    return account === undefined ? NO_ACCOUNT : ok(accountView(account, BANKS));
  }

  function close(reference: string): Handled {
    const account = openAccountOf(reference);
    if (account === undefined) return NO_ACCOUNT;
    account.isOpen = false;
    return ok(accountView(account, BANKS));
  }

  function status(query: URLSearchParams): Handled {
    const [transaction, payment] = [query.get('transactionReference'), query.get('paymentReference')];
    const row = books.credits.find((one) =>
      transaction === null ? payment === paymentReferenceOf(one) : transaction === referenceOf(one),
    );
    const credit = books.found(row);
    if (credit === undefined) {
      return refusal(404, '99', 'Could not find transaction with the specified transaction reference');
    }
    return ok(madeWrong(books, queryView(credit)));
  }

  function search(query: URLSearchParams): Handled {
    const number = (name: string) => Number(query.get(name));
    const rows = books.credits
      .filter((one) => one.at.getTime() >= number('from') && one.at.getTime() < number('to'))
      .filter((one) => !query.has('paymentStatus') || statusOf(one) === query.get('paymentStatus'))
      .toReversed();
    const size = Math.min(number('size'), pages.max);
    const from = number('page') * size;
    const content = rows.slice(from, from + size).map(listView);
    const last = from + size >= rows.length;
    const list = {
      content,
      ...(pages.marksLast && { last }),
      totalElements: rows.length,
      size,
      number: number('page'),
      empty: rows.length === 0,
    };
    return pages.wrapped ? ok(list) : { status: 200, body: list };
  }

  const inBooks = (key: CreditKey): CreditKey => ({
    ...key,
    providerTransactionId: key.providerTransactionId?.split('|').at(-1) ?? null,
  });
  const keyOf = (credit: CreditRow): CreditKey => ({
    providerTransactionId: referenceOf(credit),
    providerReference: paymentReferenceOf(credit),
    sessionId: null,
  });
  return {
    books,
    pages,
    payments,
    settlements,
    refunds,
    handle,
    inBooks,
    keyOf,
    creditOf: (key) => books.creditOf(inBooks(key)),
    deposit(facts) {
      const accountNumber = `${FIRST_DIGIT}${facts.accountNumber.slice(1)}`;
      return keyOf(books.deposit({ ...facts, accountNumber }));
    },
    successfulTransaction: (credit, changes = {}) =>
      Buffer.from(JSON.stringify({ eventType: 'SUCCESSFUL_TRANSACTION', eventData: eventView(credit, changes) })),
  };
}

export function monnifyWalletStage(seen: Seen): Stage | undefined {
  const refund = refundStage(seen);
  if (refund !== undefined) return refund;
  const { method, path, query } = seen;
  if (method === 'POST' && path === ACCOUNTS) return 'openAccount';
  if (path.startsWith(CLOSING)) return 'closeAccount';
  if (path === QUERY) return query.has('transactionReference') ? 'queryCredit' : 'findOpening';
  if (path.endsWith('/find-by-settlement-reference')) return 'readSettlement';
  return path === SEARCH ? 'listCredits' : monnifyPaymentStage(seen);
}

const NO_ACCOUNT = refusal(404, '99', 'Cannot find reserved account');
/** The numbers of the books begin so; those of the second bank with another digit. */
const FIRST_DIGIT = '9';
const BANKS = [
  { code: '035', name: 'Wema bank', firstDigit: FIRST_DIGIT },
  { code: '232', name: 'Sterling bank', firstDigit: '5' },
];

function includes(body: Record<string, unknown>, code: string): boolean {
  return Array.isArray(body['preferredBanks']) && body['preferredBanks'].includes(code);
}

function lastOf(path: string): string {
  return decodeURIComponent(path.split('/').at(-1) ?? '');
}

/** Ours of what was opened for one payment; Monnify's own of a reserved account. */
const paymentReferenceOf = (credit: CreditRow) =>
  credit.opened === undefined ? referenceOf(credit) : credit.accountReference;

function accountView({ reference, accountNumber, accountName }: AccountRow, banks: typeof BANKS) {
  return {
    contractCode: CONTRACT,
    accountReference: reference,
    accountName,
    currencyCode: 'NGN',
    customerEmail: 'ada@shop.example',
    customerName: 'Ada',
    accounts: banks.map(({ code, name, firstDigit }) => ({
      bankCode: code,
      bankName: name,
      accountNumber: `${firstDigit}${accountNumber.slice(1)}`,
      accountName,
    })),
    collectionChannel: 'RESERVED_ACCOUNT',
    reservationReference: `R${accountNumber}`,
    reservedAccountType: 'GENERAL',
    status: 'ACTIVE',
    createdOn: '2026-11-20 10:30:00.0',
  };
}

/** Both forms have been seen in queries. */
function paidOn({ at, id }: CreditRow): string {
  const there = new Date(at.getTime() + LAGOS_MS).toISOString();
  const [, year, month, day, hour = '', minute, second] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)/.exec(there) ?? [];
  if (id % 2 === 0) return `${year}-${month}-${day} ${hour}:${minute}:${second}.0`;
  const half = Number(hour) < 12 ? 'AM' : 'PM';
  const shown = String(Number(hour) % 12 || 12).padStart(2, '0');
  return `${day}/${month}/${year} ${shown}:${minute}:${second} ${half}`;
}

function settledMinor({ amountMinor }: CreditRow): bigint {
  return amountMinor - (amountMinor * 14n) / 1_000n;
}

function queryView(credit: CreditRow): Record<string, unknown> {
  const amountPaid = decimalText(credit.amountMinor);
  const payer = {
    accountName: credit.payerName,
    accountNumber: `******${credit.payerAccountNumber.slice(-4)}`,
    bankCode: '000015',
    amountPaid,
  };
  return {
    transactionReference: referenceOf(credit),
    paymentReference: paymentReferenceOf(credit),
    amountPaid,
    totalPayable: amountPaid,
    settlementAmount: decimalText(settledMinor(credit)),
    paidOn: paidOn(credit),
    paymentStatus: statusOf(credit),
    paymentDescription: 'Ada',
    currency: credit.currency,
    paymentMethod: METHODS[credit.channel],
    product: { type: credit.opened === undefined ? 'RESERVED_ACCOUNT' : 'WEB_SDK', reference: credit.accountReference },
    cardDetails: null,
    accountDetails: payer,
    accountPayments: [payer],
    customer: { email: 'ada@shop.example', name: 'Ada' },
    metaData: {},
  };
}

function listView(credit: CreditRow) {
  return {
    transactionReference: referenceOf(credit),
    paymentReference: paymentReferenceOf(credit),
    amount: Number(decimalText(credit.amountMinor)),
    customerName: 'Ada',
    customerEmail: 'ada@shop.example',
    paymentStatus: statusOf(credit),
    createdOn: credit.at.toISOString(),
  };
}

/** Amounts are numbers here, and the settled one is text. */
function eventView(credit: CreditRow, { amountMinor = credit.amountMinor }: { amountMinor?: bigint }) {
  const amountPaid = Number(decimalText(amountMinor));
  const { accountDetails: _payer, accountPayments: _payments, ...shared } = queryView(credit);
  return {
    ...shared,
    amountPaid,
    totalPayable: amountPaid,
    cardDetails: {},
    paymentSourceInformation: [
      {
        bankCode: '',
        amountPaid,
        accountName: credit.payerName,
        sessionId: 'e6cV1smlpkwG38Cg6d5F9B2PRnIq5FqA',
        accountNumber: credit.payerAccountNumber,
      },
    ],
    destinationAccountInformation: { bankCode: '035', bankName: 'Wema bank', accountNumber: credit.accountNumber },
  };
}

/** The document of a query, made wrong as the test asked for, once. */
function madeWrong({ wrong }: WalletBooks, document: Record<string, unknown>): Record<string, unknown> {
  const { aboutAnother, spoilt } = wrong;
  Object.assign(wrong, { aboutAnother: false, spoilt: undefined });
  if (aboutAnother) return { ...document, transactionReference: 'MNFY|67|1|1', paymentReference: 'MNFY|67|1|1' };
  if (spoilt === 'amountMinor') return { ...document, amountPaid: '12.345' };
  if (spoilt === 'currency') return { ...document, currency: null };
  return spoilt === 'providerTransactionId' ? { ...document, transactionReference: null } : document;
}
