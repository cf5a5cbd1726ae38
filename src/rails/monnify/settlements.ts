import { lagosDay } from '../../platform/clock.ts';
import { fromDecimal } from '../decimal-amount.ts';
import { providerWebhookMalformed } from '../errors.ts';
import { UnusableAnswerError } from '../port.ts';
import { fieldsOf, textOf } from '../provider-answers.ts';
import type {
  ReportedSettlement,
  SettlementLine,
  SettlementLinePage,
  SettlementLinesRequest,
  SettlementSource,
} from '../settlements.ts';
import { factOf, pageOf } from '../wallet-answers.ts';
import type { ProviderWebhookRequest } from '../wallet-provider.ts';
import { instantInLagos, listIn } from './credits.ts';
import type { MonnifySession } from './session.ts';
import { readUnusable } from './transfers.ts';
import { openWebhook } from './webhooks.ts';

/*
 * What Monnify settled. Read in November 2026 from
 *   https://developers.monnify.com/api (find-by-settlement-reference: payments as its other lists have them)
 *   https://developers.monnify.com/docs/webhooks/event-types (SETTLEMENT: `settlementReference`, `amount`, `settlementTime`)
 * No interface lists settlements: the webhook alone says that there is one, and how much it pays out. It is signed, and is
 * sent when the money left.
 */
const EVENT = 'SETTLEMENT';
const PAGE_LINES = 100;

export function createMonnifySettlements({
  session,
  secretKey,
}: {
  session: MonnifySession;
  secretKey: string;
}): SettlementSource {
  return {
    readLines: (request, signal) => readLines(session, request, signal),
    readNotice: async (request) => readNotice(secretKey, request),
  };
}

/** GET /api/v1/transactions/find-by-settlement-reference, whose pages are counted from zero. */
async function readLines(
  session: MonnifySession,
  { reference, cursor }: SettlementLinesRequest,
  signal: AbortSignal,
): Promise<SettlementLinePage> {
  const page = pageOf(cursor);
  const answer = await session.request({
    method: 'GET',
    path: '/api/v1/transactions/find-by-settlement-reference',
    query: { reference, page: String(page - 1), size: String(PAGE_LINES) },
    signal,
  });
  const list = listIn(answer);
  if (list === undefined) {
    const { reading, code } = readUnusable(answer);
    throw new UnusableAnswerError(reading, code);
  }
  const isLast = list.lines.length === 0 || list.isLast;
  return { lines: list.lines.map(lineOf), next: isLast ? null : String(page + 1) };
}

/** `settlementAmount` is what is paid out of `amountPaid`. */
function lineOf(value: unknown): SettlementLine {
  const fields = fieldsOf(value) ?? {};
  const grossMinor = fromDecimal(fields['amountPaid']);
  const netMinor = fromDecimal(fields['settlementAmount']);
  return {
    kind: 'PAYMENT',
    providerTransactionId: factOf(fields['transactionReference']),
    reference: factOf(fields['paymentReference']),
    grossMinor,
    feeMinor: grossMinor === null || netMinor === null ? null : grossMinor - netMinor,
    netMinor,
    currency: textOf(fields['currency']),
    mode: null,
    occurredAt: instantInLagos(textOf(fields['paidOn'])),
  };
}

/** @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED` */
function readNotice(secretKey: string, request: ProviderWebhookRequest): ReportedSettlement[] {
  const { event, data } = openWebhook(secretKey, request);
  if (event !== EVENT) return [];
  const fields = fieldsOf(data);
  const reference = factOf(fields?.['settlementReference']);
  const lumpMinor = fromDecimal(fields?.['amount']);
  const at = instantInLagos(textOf(fields?.['settlementTime']));
  if (fields === undefined || reference === null || lumpMinor === null || lumpMinor < 0n || at === null) {
    throw providerWebhookMalformed();
  }
  return [{ reference, status: 'SETTLED', mode: null, currency: 'NGN', lumpMinor, settledOn: lagosDay(at) }];
}
