import { type BankNumbering, fieldsOf, listedIn, textOf } from '../provider-answers.ts';
import {
  confirmedRefusal,
  MADE_REFUND,
  markedNote,
  NEEDS_ACCOUNT,
  NO_SUCH_REFUND,
  PENDING_REFUND,
  REFUSED_REFUND,
  referenceInNote,
  refundAnswer,
  UNMARKED_REFUND,
  unlistedStatus,
} from '../refund-answers.ts';
import type { RefundAnswer, RefundOrder, RefundOutcome, RefundProvider } from '../refunds.ts';
import { factOf, type WalletReading } from '../wallet-answers.ts';
import { koboOf, listedRefusal, type PaystackContext, type Refusal, readBody, whyUnknown } from './answers.ts';
import { wireAmount } from './transfers.ts';
import { readSignedEvent } from './webhooks.ts';

/*
 * What Paystack's words mean for a refund. Read in November 2026 from https://paystack.com/docs/payments/refunds/ and
 * https://paystack.com/docs/api/refund/ (statuses, webhooks, retry_with_customer_details).
 *
 * | status of the refund | outcome |
 * |---|---|
 * | processed | succeeded |
 * | failed | failed |
 * | needs-attention | needs_details |
 * | pending, processing | pending |
 * | any other | unknown |
 */
const STATUSES: Readonly<Record<string, readonly [RefundOutcome, WalletReading]>> = {
  processed: ['succeeded', MADE_REFUND],
  failed: ['failed', REFUSED_REFUND],
  'needs-attention': ['needs_details', NEEDS_ACCOUNT],
  pending: ['pending', PENDING_REFUND],
  processing: ['pending', PENDING_REFUND],
};

/** Texts that integrations report: anything else that Paystack refuses with is asked about. */
const REFUSALS: readonly Refusal[] = [
  {
    statuses: [400],
    message: /(fully|already) (refunded|reversed)|(greater|more) than (the )?(transaction|available)/i,
    reason: 'REFUND_EXCEEDS_PAYMENT',
    meaning: 'Paystack says that less is left of the payment',
  },
];

const EVENTS = /^refund\.(pending|processing|processed|failed|needs-attention)$/;
const PAGE_SIZE = 100;
/** A refund that was asked for is in the list at once; what is not there after this was not asked for. */
const NOT_FOUND_AFTER_MS = 15 * 60_000;
const MAX_NOTE = 64;

/**
 * Refunds of Paystack: POST /refund, GET /refund/:id, GET /refund?transaction=, POST
 * /refund/retry_with_customer_details/:id. Paystack takes no reference of ours for a refund: it is in `merchant_note`,
 * and a repeated request looks for it there.
 */
export function createPaystackRefunds(context: PaystackContext & { banks: BankNumbering }): RefundProvider {
  return {
    capabilities: {
      partial: true,
      // 50 naira, https://support.paystack.com: less is not sent to a bank.
      minAmountMinor: 5_000n,
      isIdempotent: false,
      notFoundAfterMs: NOT_FOUND_AFTER_MS,
      maxNote: MAX_NOTE,
    },
    refund: (order, signal) => refund(context, order, signal),
    queryRefund: (order, signal) => queryRefund(context, order, signal),
    giveDetails: (order, signal) => giveDetails(context, order, signal),
    async readRefundWebhook(request) {
      const { event, data } = readSignedEvent(context.secretKey, request);
      if (!EVENTS.test(event)) return [];
      const names = [data?.['id'], data?.['refund_reference'], data?.['transaction_reference']];
      const keys = names.map(factOf).filter((key) => key !== null);
      return keys.length === 0 ? [] : [{ keys }];
    },
  };
}

async function refund(
  { http, clock }: PaystackContext,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const body = {
    transaction: order.providerTransactionId,
    amount: wireAmount(order.amountMinor),
    currency: order.currency,
    customer_note: order.note,
    merchant_note: markedNote(order),
  };
  const got = readBody(await http.request({ method: 'POST', path: '/refund', body, signal }));
  const at = clock.now();
  if (got.isSuccess && got.data !== undefined) return answerOf(got.data, got.code, at);
  const refusal = listedRefusal(got, REFUSALS);
  if (refusal !== undefined) {
    const refused = refundAnswer(['failed', refusal], got.code, at);
    return confirmedRefusal(refused, () => findRefund({ http, clock }, order, signal));
  }
  return refundAnswer(['unknown', whyUnknown(got)], got.code, at);
}

async function queryRefund(
  { http, clock }: PaystackContext,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  if (order.providerRefundId === null) return findRefund({ http, clock }, order, signal);
  const path = `/refund/${encodeURIComponent(order.providerRefundId)}`;
  const got = readBody(await http.request({ method: 'GET', path, signal }));
  const at = clock.now();
  if (got.isSuccess && got.data !== undefined) return answerOf(got.data, got.code, at);
  return refundAnswer(['unknown', whyUnknown(got)], got.code, at);
}

/** Where no id is known: the one of the payment that carries our reference. */
async function findRefund(
  { http, clock }: Pick<PaystackContext, 'http' | 'clock'>,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const query = { transaction: order.providerTransactionId, perPage: String(PAGE_SIZE), page: '1' };
  const answer = await http.request({ method: 'GET', path: '/refund', query, signal });
  const got = readBody(answer);
  const at = clock.now();
  const lines = fieldsOf(answer.body)?.['data'];
  // A page that may not be the whole list says nothing of what is not on it.
  if (!got.isSuccess || !Array.isArray(lines) || lines.length >= PAGE_SIZE) {
    return refundAnswer(['unknown', whyUnknown(got)], got.code, at);
  }
  const refunds = lines.map(fieldsOf).filter((line) => line !== undefined);
  const ours = refunds.find((line) => referenceInNote(textOf(line['merchant_note'])) === order.reference);
  if (ours !== undefined) return answerOf(ours, got.code, at);
  const isUnmarked = refunds.some(
    (line) => referenceInNote(textOf(line['merchant_note'])) === null && koboOf(line['amount']) === order.amountMinor,
  );
  if (isUnmarked) return refundAnswer(['unknown', UNMARKED_REFUND], got.code, at);
  return refundAnswer(['not_found', NO_SUCH_REFUND], got.code, at);
}

/** The account goes by Paystack's number of the bank, which its list of banks has. */
async function giveDetails(
  { http, clock, banks }: PaystackContext & { banks: BankNumbering },
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const { account, providerRefundId, currency } = order;
  if (account === null || providerRefundId === null)
    return queryRefund({ http, clock } as PaystackContext, order, signal);
  const listed = await http.request({ method: 'GET', path: '/bank', query: { currency }, signal });
  const lines = fieldsOf(listed.body)?.['data'];
  const code = banks.theirs(account.bankCode);
  const bank = (Array.isArray(lines) ? lines : []).map(fieldsOf).find((line) => textOf(line?.['code']) === code);
  const bankId = textOf(bank?.['id']);
  if (bankId === '') {
    const reading = { reason: 'BANK_CODE_UNKNOWN', message: 'Paystack does not name the bank of this account' };
    return refundAnswer(['needs_details', reading], null, clock.now(), { providerRefundId });
  }
  const body = { refund_account_details: { currency, account_number: account.accountNumber, bank_id: bankId } };
  const path = `/refund/retry_with_customer_details/${encodeURIComponent(providerRefundId)}`;
  const got = readBody(await http.request({ method: 'POST', path, body, signal }));
  const at = clock.now();
  if (got.isSuccess && got.data !== undefined) return answerOf(got.data, got.code, at);
  // "Invalid Refund state": it does not wait for an account any more, and a query says what it is.
  return refundAnswer(['unknown', whyUnknown(got)], got.code, at);
}

function answerOf(data: Record<string, unknown>, code: string, at: Date): RefundAnswer {
  const status = textOf(data['status']);
  const transaction = data['transaction'];
  const providerRefundId = factOf(data['id']);
  const reported = {
    reference: referenceInNote(textOf(data['merchant_note'])),
    providerTransactionId: factOf(fieldsOf(transaction)?.['id'] ?? transaction),
    amountMinor: koboOf(data['amount']),
    currency: factOf(data['currency']),
  };
  return refundAnswer(listedIn(STATUSES, status) ?? unlistedStatus('Paystack', status), status || code, at, {
    providerRefundId,
    reported,
  });
}
