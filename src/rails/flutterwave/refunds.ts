import { fromDecimal, toJsonDecimal } from '../decimal-amount.ts';
import { fieldsOf, listedIn, textOf } from '../provider-answers.ts';
import {
  confirmedRefusal,
  MADE_REFUND,
  markedNote,
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
import { dataOf, listedRefusal, type Refusals, whyUnknown } from './transfers.ts';
import type { FlutterwaveContext } from './virtual-accounts.ts';
import { readWebhookEvent } from './webhooks.ts';

/*
 * What Flutterwave's words mean for a refund, version 3. Read in November 2026 from
 *   https://developer.flutterwave.com/docs/collecting-payments/refunds (request, answer, statuses, list)
 *
 * | status of the refund | outcome |
 * |---|---|
 * | completed, completed-bank-transfer, completed-momo, completed-mpgs | succeeded |
 * | failed | failed |
 * | new, pending, processing | pending |
 * | any other | unknown |
 */
const STATUSES: Readonly<Record<string, readonly [RefundOutcome, WalletReading]>> = {
  completed: ['succeeded', MADE_REFUND],
  'completed-bank-transfer': ['succeeded', MADE_REFUND],
  'completed-momo': ['succeeded', MADE_REFUND],
  'completed-mpgs': ['succeeded', MADE_REFUND],
  failed: ['failed', REFUSED_REFUND],
  new: ['pending', PENDING_REFUND],
  pending: ['pending', PENDING_REFUND],
  processing: ['pending', PENDING_REFUND],
};

/** Texts that integrations report: anything else that Flutterwave refuses with is asked about. */
const REFUSALS: Refusals = [
  [
    /(already|fully) (been )?refunded|(greater|more) than/i,
    { reason: 'REFUND_EXCEEDS_PAYMENT', message: 'Flutterwave says that less is left of the payment' },
  ],
];

const NOT_FOUND_AFTER_MS = 15 * 60_000;
const MAX_NOTE = 64;
/** Pages of the list that are looked through: a refund is there on its day. */
const MAX_PAGES = 20;

/**
 * Refunds of Flutterwave: POST /v3/transactions/:id/refund, GET /v3/refunds/:id, GET /v3/refunds. It takes no reference
 * of ours for a refund: our reference is in `comments`, and a repeated request looks for it there. It never needs the
 * payer's account.
 */
export function createFlutterwaveRefunds(context: FlutterwaveContext & { secretHash: string }): RefundProvider {
  return {
    capabilities: {
      partial: true,
      minAmountMinor: 100n,
      isIdempotent: false,
      notFoundAfterMs: NOT_FOUND_AFTER_MS,
      maxNote: MAX_NOTE,
    },
    refund: (order, signal) => refund(context, order, signal),
    queryRefund: (order, signal) => queryRefund(context, order, signal),
    giveDetails: (order, signal) => queryRefund(context, order, signal),
    async readRefundWebhook(request) {
      const { event, body } = readWebhookEvent(context.secretHash, request);
      if (!/^refund/i.test(event)) return [];
      const data = fieldsOf(body['data']);
      const names = [data?.['id'], data?.['TransactionId'], data?.['transaction_id'], data?.['tx_id']];
      const keys = names.map(factOf).filter((key) => key !== null);
      return keys.length === 0 ? [] : [{ keys }];
    },
  };
}

async function refund(
  { http, clock }: FlutterwaveContext,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const path = `/v3/transactions/${encodeURIComponent(order.providerTransactionId)}/refund`;
  const body = { amount: toJsonDecimal(order.amountMinor), comments: markedNote(order) };
  const answer = await http.request({ method: 'POST', path, body, signal });
  const at = clock.now();
  const code = `HTTP_${answer.status}`;
  const data = fieldsOf(dataOf(answer));
  if (data !== undefined) return answerOf(data, code, at);
  const refusal = listedRefusal(answer, REFUSALS);
  if (refusal === undefined) return refundAnswer(['unknown', whyUnknown(answer)], code, at);
  const refused = refundAnswer(['failed', refusal], code, at);
  return confirmedRefusal(refused, () => findRefund({ http, clock }, order, signal));
}

async function queryRefund(
  { http, clock }: FlutterwaveContext,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  if (order.providerRefundId === null) return findRefund({ http, clock }, order, signal);
  const path = `/v3/refunds/${encodeURIComponent(order.providerRefundId)}`;
  const answer = await http.request({ method: 'GET', path, signal });
  const at = clock.now();
  const code = `HTTP_${answer.status}`;
  const data = fieldsOf(dataOf(answer));
  if (data !== undefined) return answerOf(data, code, at);
  return refundAnswer(['unknown', whyUnknown(answer)], code, at);
}

/** Where no id is known: the one that carries our reference. Only the whole list says that there is none. */
async function findRefund(
  { http, clock }: Pick<FlutterwaveContext, 'http' | 'clock'>,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  let isUnmarked = false;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await http.request({ method: 'GET', path: '/v3/refunds', query: { page: String(page) }, signal });
    const at = clock.now();
    const code = `HTTP_${answer.status}`;
    const lines = dataOf(answer);
    if (!Array.isArray(lines)) return refundAnswer(['unknown', whyUnknown(answer)], code, at);
    const refunds = lines.map(fieldsOf).filter((line) => line !== undefined);
    const ours = refunds.find((line) => markOf(line) === order.reference);
    if (ours !== undefined) return answerOf(ours, code, at);
    isUnmarked ||= refunds.some(
      (line) =>
        textOf(line['tx_id']) === order.providerTransactionId &&
        markOf(line) === null &&
        fromDecimal(line['amount_refunded']) === order.amountMinor,
    );
    if (lines.length === 0) {
      return refundAnswer(isUnmarked ? ['unknown', UNMARKED_REFUND] : ['not_found', NO_SUCH_REFUND], code, at);
    }
  }
  return refundAnswer(['unknown', UNMARKED_REFUND], null, clock.now());
}

const markOf = (line: Record<string, unknown>): string | null =>
  referenceInNote(textOf(line['comments']) || textOf(line['comment']));

function answerOf(data: Record<string, unknown>, code: string, at: Date): RefundAnswer {
  const status = textOf(data['status']);
  const reported = {
    reference: markOf(data),
    providerTransactionId: factOf(data['tx_id']),
    amountMinor: fromDecimal(data['amount_refunded']),
    currency: factOf(data['currency']),
  };
  return refundAnswer(listedIn(STATUSES, status) ?? unlistedStatus('Flutterwave', status), status || code, at, {
    providerRefundId: factOf(data['id']),
    reported,
  });
}
