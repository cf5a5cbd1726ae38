import { HOUR_MS } from '../../platform/clock.ts';
import { fromDecimal } from '../decimal-amount.ts';
import type {
  ContestRequest,
  DisputeAnswer,
  DisputeHint,
  DisputeListRequest,
  DisputePage,
  DisputeProvider,
  DisputeState,
  ReportedDispute,
  RespondAnswer,
  RespondRequest,
  UnlistedDispute,
} from '../disputes.ts';
import { providerWebhookMalformed } from '../errors.ts';
import type { ProviderAnswer } from '../http.ts';
import { UnusableAnswerError } from '../port.ts';
import { fieldsOf, listedIn, readListed, requireMode, textOf } from '../provider-answers.ts';
import { factOf, instantOf, isLastOf, isTemporary, pageOf, saidOf, type WalletReading } from '../wallet-answers.ts';
import { dataOf, readHttpStatus, refusalOf, whyUnknown } from './transfers.ts';
import type { FlutterwaveContext } from './virtual-accounts.ts';
import { readWebhookEvent } from './webhooks.ts';

/*
 * Chargebacks at Flutterwave, version 3. Read in November 2026 from
 *   https://developer.flutterwave.com/docs/collecting-payments/chargeback (48 hours, then lost without an answer)
 *   https://flutterwaveinc.mintlify.app/other-features/chargebacks and .../accept-decline-chargebacks (statuses, paths, shapes)
 * It takes words and no files.
 *
 * | status | state |
 * |---|---|
 * | initiated | open |
 * | declined | evidence_sent |
 * | accepted | accepted |
 * | won | won |
 * | lost | lost; by silence where its history says "No merchant response" |
 * | any other | unknown: two people of the operator end it |
 */
const STATUSES: Readonly<Record<string, DisputeState>> = {
  initiated: 'open',
  declined: 'evidence_sent',
  accepted: 'accepted',
  won: 'won',
  lost: 'lost',
};
const FOUND: WalletReading = { reason: null, message: 'Flutterwave has the chargeback' };
const ABSENT: WalletReading = { reason: 'RAIL_RECORD_NOT_FOUND', message: 'Flutterwave has no such chargeback' };
const TAKEN: WalletReading = { reason: null, message: 'Flutterwave has the answer' };
const UNREADABLE: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'The answer leaves out a fact of the chargeback, or it cannot be read exactly',
};

const UNLISTED: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Flutterwave says of the chargeback what its documentation does not have',
};

export function createFlutterwaveDisputes(context: FlutterwaveContext & { secretHash: string }): DisputeProvider {
  return {
    capabilities: { evidenceFiles: 0, needs: [] },
    queryDispute: (hint, signal) => queryDispute(context, hint, signal),
    listDisputes: (request, signal) => listDisputes(context, request, signal),
    acceptDispute: (request, signal) =>
      respond(context, request, { action: 'accept', comment: 'The merchant accepts the chargeback' }, signal),
    contestDispute: (request, signal) =>
      respond(context, request, { action: 'decline', comment: commentOf(request) }, signal),
    async readDisputeWebhook(request) {
      const { event, body } = readWebhookEvent(context.secretHash, request);
      if (!/^chargeback/i.test(event)) return [];
      const hint = hintOf(body['data']);
      if (hint === undefined) throw providerWebhookMalformed();
      return [hint];
    },
  };
}

function hintOf(value: unknown): DisputeHint | undefined {
  const providerDisputeId = factOf(fieldsOf(value)?.['id']);
  return providerDisputeId === null ? undefined : { providerDisputeId };
}

/** GET /v3/chargebacks/:id. */
async function queryDispute(
  { http, clock }: FlutterwaveContext,
  { providerDisputeId }: DisputeHint,
  signal: AbortSignal,
): Promise<DisputeAnswer> {
  const path = `/v3/chargebacks/${encodeURIComponent(providerDisputeId)}`;
  const answer = await http.request({ method: 'GET', path, signal });
  const at = clock.now();
  const code = `HTTP_${answer.status}`;
  const data = fieldsOf(dataOf(answer));
  if (data !== undefined) {
    const dispute = disputeOf(data);
    const status = textOf(data['status']) || code;
    if (dispute === undefined || dispute.providerDisputeId !== providerDisputeId) {
      return { outcome: 'unknown', ...saidOf(UNREADABLE, status, at) };
    }
    return dispute.state === 'unlisted'
      ? { outcome: 'unknown', unlisted: dispute, ...saidOf(UNLISTED, status, at) }
      : { outcome: 'found', dispute, ...saidOf(FOUND, status, at) };
  }
  const isAbsent = /chargeback.*not found|no chargeback/i.test(refusalOf(answer) ?? '');
  if (isAbsent && (answer.status === 404 || answer.status === 400)) {
    return { outcome: 'not_found', ...saidOf(ABSENT, code, at) };
  }
  return { outcome: 'unknown', ...saidOf(readHttpStatus(answer.status), code, at) };
}

/** Nothing distinguishes a test chargeback from a live one but the key that finds it. */
function disputeOf(data: Record<string, unknown>): ReportedDispute | UnlistedDispute | undefined {
  const providerDisputeId = factOf(data['id']);
  const providerTransactionId = factOf(data['transaction_id']);
  const amountMinor = fromDecimal(data['amount']);
  const state = listedIn(STATUSES, textOf(data['status']));
  const currency = textOf(data['currency']) || 'NGN';
  if (providerDisputeId === null || providerTransactionId === null) return undefined;
  if (amountMinor === null || amountMinor <= 0n || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const facts = {
    providerDisputeId,
    bySilence: state === 'lost' && wasSilent(data['meta']),
    providerTransactionId,
    amountMinor,
    currency,
    category: 'CHARGEBACK' as const,
    message: factOf(data['comment']),
    dueAt: instantOf(data['due_date']),
    openedAt: instantOf(data['created_at']),
    mode: null,
  };
  return state === undefined
    ? { ...facts, state: 'unlisted', said: textOf(data['status']) || 'no status' }
    : { ...facts, state };
}

function wasSilent(meta: unknown): boolean {
  const history = fieldsOf(meta)?.['history'];
  if (!Array.isArray(history)) return false;
  return history.some((one) => /no merchant response/i.test(textOf(fieldsOf(one)?.['description'])));
}

/** GET /v3/chargebacks. Its window is in days: a day more is asked for. */
async function listDisputes(
  { http }: FlutterwaveContext,
  { from, to, cursor }: DisputeListRequest,
  signal: AbortSignal,
): Promise<DisputePage> {
  const page = pageOf(cursor);
  const dayOf = (instant: Date) => instant.toISOString().slice(0, 10);
  const query = { from: dayOf(from), to: dayOf(new Date(to.getTime() + 25 * HOUR_MS)), page: String(page) };
  const answer = await http.request({ method: 'GET', path: '/v3/chargebacks', query, signal });
  const lines = dataOf(answer);
  if (!Array.isArray(lines)) throw new UnusableAnswerError(whyUnknown(answer), `HTTP_${answer.status}`);
  const { read: disputes, unreadable } = readListed(lines, hintOf);
  const pageInfo = fieldsOf(fieldsOf(fieldsOf(answer.body)?.['meta'])?.['page_info']);
  const isLast = lines.length === 0 || isLastOf(page, pageInfo?.['total_pages']);
  return { disputes, unreadable, next: isLast ? null : String(page + 1) };
}

/** All words of the evidence, since there is one field for them. */
function commentOf({ evidence }: ContestRequest): string {
  const { message, serviceDetails, customerName, deliveryAddress, deliveryDate } = evidence;
  const parts = [
    message,
    serviceDetails && `Sold: ${serviceDetails}`,
    customerName && `To: ${customerName}`,
    deliveryAddress && `Delivered to: ${deliveryAddress}`,
    deliveryDate && `On: ${deliveryDate}`,
  ];
  return parts.filter((part) => part !== null && part !== '').join('\n');
}

/** PUT /v3/chargebacks/:id. */
async function respond(
  { http, clock, mode }: FlutterwaveContext,
  { tenant, providerDisputeId }: RespondRequest,
  body: { action: 'accept' | 'decline'; comment: string },
  signal: AbortSignal,
): Promise<RespondAnswer> {
  requireMode(tenant, mode);
  const path = `/v3/chargebacks/${encodeURIComponent(providerDisputeId)}`;
  const answer = await http.request({ method: 'PUT', path, body, signal });
  const at = clock.now();
  const code = `HTTP_${answer.status}`;
  if (answer.status >= 200 && answer.status <= 299 && fieldsOf(answer.body)?.['status'] === 'success') {
    return { outcome: 'taken', ...saidOf(TAKEN, code, at) };
  }
  return refusalIn(answer, code, at);
}

/** Refusals have no codes: that the time is over is known by its text, and all else is found out by a query. */
function refusalIn(answer: ProviderAnswer, code: string, at: Date): RespondAnswer {
  const said = refusalOf(answer) ?? '';
  const isClosed = /already (been )?(accepted|declined|resolved)|expired|(is|not) (closed|open)/i.test(said);
  if (answer.status === 400 && isClosed && !isTemporary(said)) {
    const closed = { reason: 'DISPUTE_CLOSED', message: 'Flutterwave takes no answer to this chargeback any more' };
    return { outcome: 'refused', ...saidOf(closed, code, at) };
  }
  return { outcome: 'unknown', ...saidOf(whyUnknown(answer), code, at) };
}
