import type { Clock } from '../../platform/clock.ts';
import { firstCharacters } from '../../platform/text.ts';
import { fromDecimal, toJsonDecimal } from '../decimal-amount.ts';
import type { ProviderAnswer } from '../http.ts';
import { type BankNumbering, fieldsOf, listedIn, textOf } from '../provider-answers.ts';
import {
  confirmedRefusal,
  MADE_REFUND,
  NEEDS_ACCOUNT,
  NO_SUCH_REFUND,
  PENDING_REFUND,
  REFUSED_REFUND,
  refundAnswer,
  unlistedStatus,
} from '../refund-answers.ts';
import type { RefundAnswer, RefundOrder, RefundOutcome, RefundProvider } from '../refunds.ts';
import { factOf, type WalletReading } from '../wallet-answers.ts';
import type { MonnifySession } from './session.ts';
import { openEnvelope } from './transfers.ts';
import { unusable } from './wallet-readings.ts';
import { openWebhook } from './webhooks.ts';

/*
 * What Monnify's words mean for a refund. Read in November 2026 from https://developers.monnify.com/docs/collections/refunds and
 * https://developers.monnify.com/docs/error-codes (Refunds).
 *
 * | refundStatus, or code of a refusal | outcome |
 * |---|---|
 * | COMPLETED | succeeded |
 * | FAILED | failed |
 * | IN_PROGRESS, PENDING | pending |
 * | R1 no such payment, R2 not permitted, R3 above the payment, R4 below 10 naira, R8 text too long, R12 sum above the payment | failed |
 * | R5 not enough at Monnify | failed |
 * | R6 payer's account unknown | needs_details |
 * | one of these refusals, and no query says R7 | unknown, or what the query says |
 * | R7 no such refund, in answer to a query | not_found |
 * | R9 reference exists, R10 balance unread, R11 name enquiry failed, any other | unknown |
 */
const STATUSES: Readonly<Record<string, readonly [RefundOutcome, WalletReading]>> = {
  COMPLETED: ['succeeded', MADE_REFUND],
  FAILED: ['failed', REFUSED_REFUND],
  IN_PROGRESS: ['pending', PENDING_REFUND],
  PENDING: ['pending', PENDING_REFUND],
};

const failed = (reason: string, message: string): readonly [RefundOutcome, WalletReading] => [
  'failed',
  { reason, message },
];

const REFUSALS: Readonly<Record<string, readonly [RefundOutcome, WalletReading]>> = {
  R1: failed('REFUND_PAYMENT_UNKNOWN', 'Monnify has no such payment'),
  R2: failed('SENDER_NOT_PERMITTED', 'Monnify does not permit refunds to this account: ask them to switch them on'),
  R3: failed('REFUND_EXCEEDS_PAYMENT', 'Monnify says that this is more than the payment'),
  R4: failed('REFUND_TOO_SMALL', 'Monnify refunds 10 naira at least'),
  R5: failed('RAIL_FUNDS_INSUFFICIENT', 'There is not enough money at Monnify'),
  R6: ['needs_details', NEEDS_ACCOUNT],
  R8: failed('RAIL_REFUSED', 'Monnify says that a text of the refund is too long'),
  R12: failed('REFUND_EXCEEDS_PAYMENT', 'Monnify says that less is left of the payment'),
};

const EVENTS: ReadonlySet<string> = new Set(['SUCCESSFUL_REFUND', 'FAILED_REFUND']);
const MAX_REASON = 64;
const MAX_CUSTOMER_NOTE = 16;
const NOT_FOUND_AFTER_MS = 60_000;

interface Context {
  session: MonnifySession;
  clock: Clock;
  banks: BankNumbering;
  secretKey: string;
}

/** Refunds of Monnify: POST /api/v1/refunds/initiate-refund with our reference, GET /api/v1/refunds/:refundReference. */
export function createMonnifyRefunds(context: Context): RefundProvider {
  return {
    capabilities: {
      partial: true,
      minAmountMinor: 1_000n,
      isIdempotent: true,
      notFoundAfterMs: NOT_FOUND_AFTER_MS,
      maxNote: MAX_REASON,
    },
    refund: (order, signal) => refund(context, order, signal),
    queryRefund: (order, signal) => queryRefund(context, order, signal),
    // Without the account nothing was made under the reference: with it, it is asked for anew.
    giveDetails: (order, signal) => refund(context, order, signal),
    async readRefundWebhook(request) {
      const { event, data } = openWebhook(context.secretKey, request);
      if (!EVENTS.has(event)) return [];
      const fields = fieldsOf(data);
      const keys = [fields?.['refundReference'], fields?.['transactionReference']]
        .map(factOf)
        .filter((key) => key !== null);
      return keys.length === 0 ? [] : [{ keys }];
    },
  };
}

async function refund(context: Context, order: RefundOrder, signal: AbortSignal): Promise<RefundAnswer> {
  const { session, clock, banks } = context;
  const { account } = order;
  const answer = await session.request({
    method: 'POST',
    path: '/api/v1/refunds/initiate-refund',
    body: {
      transactionReference: order.providerTransactionId,
      refundReference: order.reference,
      refundAmount: toJsonDecimal(order.amountMinor),
      refundReason: firstCharacters(order.note, MAX_REASON),
      customerNote: firstCharacters(order.note, MAX_CUSTOMER_NOTE),
      ...(account !== null && {
        destinationAccountNumber: account.accountNumber,
        destinationAccountBankCode: banks.theirs(account.bankCode),
      }),
    },
    signal,
  });
  const said = readAnswer(answer, clock, 'send');
  // An answer that shows the refund is no refusal, whatever its status.
  const isRefusal = said.outcome === 'failed' && said.reported.reference === null;
  return isRefusal ? confirmedRefusal(said, () => queryRefund(context, order, signal)) : said;
}

async function queryRefund(
  { session, clock }: Context,
  order: RefundOrder,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const path = `/api/v1/refunds/${encodeURIComponent(order.reference)}`;
  return readAnswer(await session.request({ method: 'GET', path, signal }), clock, 'query');
}

function readAnswer(answer: ProviderAnswer, clock: Clock, stage: 'send' | 'query'): RefundAnswer {
  const at = clock.now();
  const { data, code, refused } = openEnvelope(answer);
  const fields = fieldsOf(data);
  if (fields !== undefined) {
    const status = textOf(fields['refundStatus']);
    const reported = {
      reference: factOf(fields['refundReference']),
      providerTransactionId: factOf(fields['transactionReference']),
      amountMinor: fromDecimal(fields['refundAmount']),
      currency: null,
    };
    return refundAnswer(listedIn(STATUSES, status) ?? unlistedStatus('Monnify', status), status || code, at, {
      reported,
    });
  }
  if (refused && answer.status < 500 && stage === 'query' && code === 'R7') {
    return refundAnswer(['not_found', NO_SUCH_REFUND], code, at);
  }
  const listed = refused && answer.status < 500 && stage === 'send' ? listedIn(REFUSALS, code) : undefined;
  if (listed !== undefined) return refundAnswer(listed, code, at);
  const { reason, message } = unusable(answer, clock);
  return refundAnswer(['unknown', { reason, message }], code || `HTTP_${answer.status}`, at);
}
