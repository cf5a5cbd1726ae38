import { type RefundBooks, type RefundState, type StandInRefund, saidMinor, stateOf } from './refund-books.ts';
import type { Handled, Seen, Stage } from './stand-in.ts';

const REFERENCE = /[0-9a-f]{32}/;
const naira = (minor: bigint): number => Number(minor) / 100;
const koboIn = (text: string, field: string): bigint =>
  BigInt(Math.round(Number(new RegExp(`"${field}":([\\d.]+)`).exec(text)?.[1]) * 100));
const NUMBERED_BANK = { id: 9, name: 'Guaranty Trust Bank', code: '058', currency: 'NGN' };

const PAYSTACK: Readonly<Record<RefundState, string>> = {
  processed: 'processed',
  pending: 'processing',
  failed: 'failed',
  needs_details: 'needs-attention',
  unlisted: 'gone_fishing',
};
const FLUTTERWAVE: Readonly<Record<RefundState, string>> = {
  processed: 'completed',
  pending: 'pending',
  failed: 'failed',
  needs_details: 'gone_fishing',
  unlisted: 'gone_fishing',
};
const MONNIFY: Readonly<Record<RefundState, string>> = {
  processed: 'COMPLETED',
  pending: 'IN_PROGRESS',
  failed: 'FAILED',
  needs_details: 'GONE_FISHING',
  unlisted: 'GONE_FISHING',
};

/** Which calls can be spoilt. */
export function refundStage({ method, path }: Seen): Stage | undefined {
  if (!/refund/.test(path)) return undefined;
  return method === 'POST' ? 'refund' : 'queryRefund';
}

function viewOfPaystack(row: StandInRefund) {
  return {
    id: Number(row.id),
    transaction: Number(row.transactionId),
    amount: Number(saidMinor(row)),
    currency: 'NGN',
    merchant_note: `${row.reference} Order 7`,
    status: PAYSTACK[stateOf(row)],
  };
}

/** Refunds as Paystack documents them: it makes one for each request, as long as something is left of the payment. */
export function handlePaystackRefund(
  books: RefundBooks,
  { method, path, query, body, text }: Seen,
): Handled | undefined {
  const said = (data: unknown): Handled => ({ status: 200, body: { status: true, message: 'Done', data } });
  const no = (status: number, message: string): Handled => ({ status, body: { status: false, message } });
  const [, noun = '', id = '', last = ''] = path.split('/');
  if (noun === 'bank') return said([{ ...NUMBERED_BANK, id: 1, code: '044' }, NUMBERED_BANK]);
  if (noun !== 'refund') return undefined;
  if (method === 'POST' && id === '') {
    const play = books.taken();
    const transactionId = String(body.transaction);
    const amountMinor = BigInt(/"amount":"?(\d+)/.exec(text)?.[1] ?? '-1');
    if (play === 'refused-unlisted') return no(400, 'Not on full moons');
    if (play === 'timeout-not-executed') return 'no answer';
    if (play === 'refused' || amountMinor > books.leftOf(transactionId)) {
      return no(400, 'Transaction has been fully reversed');
    }
    const reference = REFERENCE.exec(body.merchant_note)?.[0] ?? '';
    const made = books.add({ reference, transactionId, amountMinor }, play);
    if (play === 'timeout-executed') return 'no answer';
    return said({ ...viewOfPaystack(made), transaction: { id: Number(transactionId) } });
  }
  if (method === 'POST') {
    const waiting = books.rows.find((row) => row.id === last);
    if (id !== 'retry_with_customer_details' || waiting === undefined) return no(404, 'Not here');
    if (stateOf(waiting) !== 'needs_details') return no(422, 'Invalid Refund state');
    const { currency, account_number, bank_id } = body.refund_account_details ?? {};
    if (currency !== 'NGN' || String(bank_id) !== String(NUMBERED_BANK.id)) return no(400, 'Invalid bank');
    waiting.account = account_number;
    return said(viewOfPaystack(waiting));
  }
  const found = books.rows.filter((row) =>
    id === '' ? row.transactionId === query.get('transaction') : row.id === id,
  );
  for (const row of found) row.queries += 1;
  if (id === '') return said(found.map(viewOfPaystack));
  return found[0] === undefined ? no(404, 'Refund not found') : said(viewOfPaystack(found[0]));
}

function viewOfFlutterwave(row: StandInRefund) {
  return {
    id: Number(row.id),
    tx_id: Number(row.transactionId),
    flw_ref: `FLW-${row.id}`,
    amount_refunded: naira(saidMinor(row)),
    comments: `${row.reference} Order 7`,
    status: FLUTTERWAVE[stateOf(row)],
    destination: 'payment_source',
  };
}

/** Refunds as Flutterwave documents them: the same, and its list is of all payments, in pages. */
export function handleFlutterwaveRefund(
  books: RefundBooks,
  { method, path, query, body, text }: Seen,
): Handled | undefined {
  const said = (data: unknown): Handled => ({ status: 200, body: { status: 'success', message: 'Done', data } });
  const no = (status: number, message: string): Handled => ({
    status,
    body: { status: 'error', message, data: null },
  });
  const [, , noun = '', id = '', last = ''] = path.split('/');
  if (method === 'POST' && noun === 'transactions' && last === 'refund') {
    const play = books.taken();
    const amountMinor = koboIn(text, 'amount');
    if (play === 'refused-unlisted') return no(400, 'Not on full moons');
    if (play === 'timeout-not-executed') return 'no answer';
    if (play === 'refused' || amountMinor > books.leftOf(id)) return no(400, 'Transaction has been fully refunded');
    const reference = REFERENCE.exec(body.comments)?.[0] ?? '';
    const made = books.add({ reference, transactionId: id, amountMinor }, play);
    return play === 'timeout-executed' ? 'no answer' : said(viewOfFlutterwave(made));
  }
  if (noun !== 'refunds') return undefined;
  const page = Number(query.get('page') ?? 1);
  const found =
    id === '' ? books.rows.toReversed().slice((page - 1) * 3, page * 3) : books.rows.filter((row) => row.id === id);
  for (const row of found) row.queries += 1;
  if (id === '') return said(found.map(viewOfFlutterwave));
  return found[0] === undefined ? no(404, 'Refund not found') : said(viewOfFlutterwave(found[0]));
}

function viewOfMonnify(row: StandInRefund) {
  return {
    refundReference: row.reference,
    transactionReference: row.transactionId,
    refundAmount: naira(saidMinor(row)),
    refundStatus: MONNIFY[stateOf(row)],
    refundStrategy: 'MERCHANT_WALLET',
  };
}

/** Refunds as Monnify documents them: one under a reference, and it wants the payer's account before it makes one. */
export function handleMonnifyRefund(books: RefundBooks, { method, path, body, text }: Seen): Handled | undefined {
  const said = (responseBody: unknown): Handled => ({
    status: 200,
    body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
  });
  const no = (responseCode: string, responseMessage = 'Refused'): Handled => ({
    status: 422,
    body: { requestSuccessful: false, responseMessage, responseCode },
  });
  if (!path.startsWith('/api/v1/refunds/')) return undefined;
  if (method === 'POST') {
    const play = books.taken();
    const { refundReference: reference, transactionReference: transactionId } = body;
    if (play === 'refused-unlisted') return no('R11', 'Name enquiry failed');
    if (play === 'timeout-not-executed') return 'no answer';
    if (books.rows.some((row) => row.reference === reference)) return no('R9', 'Refund reference already exists');
    if (body.refundReason.length > 64 || body.customerNote.length > 16) return no('R8');
    const amountMinor = koboIn(text, 'refundAmount');
    if (play === 'refused' || amountMinor > books.leftOf(transactionId)) return no('R12');
    const account = body.destinationAccountNumber;
    if (play === 'needs-details' && account === undefined) return no('R6', 'Source account is not known');
    const made = books.add({ reference, transactionId, amountMinor }, play);
    made.account = account;
    return play === 'timeout-executed' ? 'no answer' : said(viewOfMonnify(made));
  }
  const found = books.rows.find(({ reference }) => path === `/api/v1/refunds/${reference}`);
  if (found === undefined) return no('R7', 'No such refund');
  found.queries += 1;
  return said(viewOfMonnify(found));
}
