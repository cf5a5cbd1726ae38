import type {
  ContestRequest,
  DisputeAnswer,
  DisputeCategory,
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
import { uploadTo } from '../http.ts';
import { fieldsOf, listedIn, readListed, requireMode, textOf } from '../provider-answers.ts';
import { factOf, instantOf, pageOf, saidOf, type WalletReading } from '../wallet-answers.ts';
import {
  DOMAINS,
  type Got,
  koboOf,
  listedRefusal,
  type PaystackContext,
  type Refusal,
  readBody,
  readPage,
  whyUnknown,
} from './answers.ts';
import { readHttpStatus, wireAmount } from './transfers.ts';
import { readSignedEvent } from './webhooks.ts';

/*
 * Disputes at Paystack. Read in November 2026 from
 *   https://github.com/PaystackOSS/openapi (paths, statuses, resolutions, the body of an answer and of evidence)
 *   https://github.com/PaystackOSS/doc-code-snippets (shapes of `charge.dispute.create`, `.remind`, `.resolve`)
 *   https://support.paystack.com (16 hours, then it is accepted without an answer)
 *
 * | status | resolution | state |
 * |---|---|---|
 * | awaiting-merchant-feedback | | open |
 * | awaiting-bank-feedback, pending | | evidence_sent |
 * | resolved | declined, and its transaction is not reversed | won |
 * | resolved | merchant-accepted | accepted |
 * | resolved | auto-accepted | lost, by silence |
 * | resolved | declined, and its transaction is reversed: the money is gone | lost |
 * | any other | | unknown: two people of the operator end it |
 */
const STATUSES: Readonly<Record<string, DisputeState>> = {
  'awaiting-merchant-feedback': 'open',
  'awaiting-bank-feedback': 'evidence_sent',
  pending: 'evidence_sent',
};
const RESOLUTIONS: Readonly<Record<string, DisputeState>> = {
  declined: 'won',
  'merchant-accepted': 'accepted',
  'auto-accepted': 'lost',
};
const CATEGORIES: Readonly<Record<string, DisputeCategory>> = {
  chargeback: 'CHARGEBACK',
  fraud: 'FRAUD',
  general: 'GENERAL',
};
const EVENTS = ['charge.dispute.create', 'charge.dispute.remind', 'charge.dispute.resolve'];

const FOUND: WalletReading = { reason: null, message: 'Paystack has the dispute' };
const ABSENT: WalletReading = { reason: 'RAIL_RECORD_NOT_FOUND', message: 'Paystack has no such dispute' };
const TAKEN: WalletReading = { reason: null, message: 'Paystack has the answer' };
const UNREADABLE: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'The answer leaves out a fact of the dispute, or it cannot be read exactly',
};
const UNLISTED: WalletReading = {
  reason: 'RAIL_ANSWER_UNEXPECTED',
  message: 'Paystack says of the dispute what its documentation does not have',
};
const REFUSALS: readonly Refusal[] = [
  {
    statuses: [400, 422],
    message: /already (been )?resolved|not awaiting|(dispute|due date).*(closed|expired|passed)/i,
    reason: 'DISPUTE_CLOSED',
    meaning: 'Paystack takes no answer to this dispute any more',
  },
  {
    statuses: [400, 422],
    message: /evidence|uploaded_filename|customer_(email|name|phone)|service_details|message.*required/i,
    reason: 'EVIDENCE_REFUSED',
    meaning: 'Paystack does not take the evidence as it is',
  },
];

export function createPaystackDisputes(context: PaystackContext): DisputeProvider {
  return {
    capabilities: { evidenceFiles: 1, needs: ['CUSTOMER', 'SERVICE_DETAILS'] },
    queryDispute: (hint, signal) => queryDispute(context, hint, signal),
    listDisputes: (request, signal) => listDisputes(context, request, signal),
    acceptDispute: (request, signal) => accept(context, request, signal),
    contestDispute: (request, signal) => contest(context, request, signal),
    async readDisputeWebhook(request) {
      const { event, data } = readSignedEvent(context.secretKey, request);
      if (!EVENTS.includes(event)) return [];
      const hint = hintOf(data);
      if (hint === undefined) throw providerWebhookMalformed();
      return [hint];
    },
  };
}

function hintOf(value: unknown): DisputeHint | undefined {
  const providerDisputeId = factOf(fieldsOf(value)?.['id']);
  return providerDisputeId === null ? undefined : { providerDisputeId };
}

/** GET /dispute/:id. */
async function queryDispute(
  context: PaystackContext,
  { providerDisputeId }: DisputeHint,
  signal: AbortSignal,
): Promise<DisputeAnswer> {
  const path = `/dispute/${encodeURIComponent(providerDisputeId)}`;
  const got = readBody(await context.http.request({ method: 'GET', path, signal }));
  const at = context.clock.now();
  if (got.isSuccess && got.data !== undefined) {
    const dispute = disputeOf(got.data, at);
    const status = textOf(got.data['status']) || got.code;
    if (dispute === undefined || dispute.providerDisputeId !== providerDisputeId) {
      return { outcome: 'unknown', ...saidOf(UNREADABLE, status, at) };
    }
    return dispute.state === 'unlisted'
      ? { outcome: 'unknown', unlisted: dispute, ...saidOf(UNLISTED, status, at) }
      : { outcome: 'found', dispute, ...saidOf(FOUND, status, at) };
  }
  const isAbsent = got.isRefusal && got.status === 404 && /dispute/i.test(got.message);
  if (isAbsent) return { outcome: 'not_found', ...saidOf(ABSENT, got.code, at) };
  return { outcome: 'unknown', ...saidOf(readHttpStatus(got.status), got.code, at) };
}

const NOTHING_WANTED: ReadonlySet<unknown> = new Set([undefined, null, 0, '0', '']);

/** `refund_amount` is what is wanted back, in kobo; before there is any, it is all of the transaction. */
function disputeOf(data: Record<string, unknown>, at: Date): ReportedDispute | UnlistedDispute | undefined {
  const transaction = fieldsOf(data['transaction']);
  const providerDisputeId = factOf(data['id']);
  const providerTransactionId = factOf(transaction?.['id']);
  const wanted = data['refund_amount'];
  const amountMinor = koboOf(NOTHING_WANTED.has(wanted) ? transaction?.['amount'] : wanted);
  const currency = textOf(data['currency']) || textOf(transaction?.['currency']);
  const isResolved = data['status'] === 'resolved';
  const resolution = textOf(data['resolution']);
  const said = isResolved ? listedIn(RESOLUTIONS, resolution) : listedIn(STATUSES, textOf(data['status']));
  // "Declined" is the merchant's word, and the transaction says whether its bank took the money all the same.
  const state = said === 'won' && transaction?.['status'] === 'reversed' ? 'lost' : said;
  const mode = listedIn(DOMAINS, textOf(data['domain']));
  if (providerDisputeId === null || providerTransactionId === null) return undefined;
  if (amountMinor === null || amountMinor === 0n || mode === undefined || !/^[A-Z]{3}$/.test(currency))
    return undefined;
  const facts = {
    providerDisputeId,
    bySilence: isResolved && resolution === 'auto-accepted',
    providerTransactionId,
    amountMinor,
    currency,
    category: listedIn(CATEGORIES, textOf(data['category'])) ?? 'GENERAL',
    message: messageOf(data['messages']),
    dueAt: instantOf(data['dueAt']) ?? instantOf(data['due_at']),
    openedAt: instantOf(data['createdAt']) ?? instantOf(data['created_at']) ?? at,
    mode,
  };
  if (state !== undefined) return { ...facts, state };
  const status = textOf(data['status']) || 'no status';
  return { ...facts, state: 'unlisted', said: resolution === '' ? status : `${status}, resolution ${resolution}` };
}

/** The last that was said about it. */
function messageOf(messages: unknown): string | null {
  if (!Array.isArray(messages)) return null;
  return messages.map((one) => factOf(fieldsOf(one)?.['body'])).findLast((body) => body !== null) ?? null;
}

/** GET /dispute, newest first. */
async function listDisputes(
  context: PaystackContext,
  { from, to, cursor }: DisputeListRequest,
  signal: AbortSignal,
): Promise<DisputePage> {
  const query = { from: from.toISOString(), to: to.toISOString() };
  const { rows, next } = await readPage(context, { path: '/dispute', query, page: pageOf(cursor) }, signal);
  const { read: disputes, unreadable } = readListed(rows, hintOf);
  return { disputes, unreadable, next };
}

/** PUT /dispute/:id/resolve. */
async function accept(context: PaystackContext, request: RespondRequest, signal: AbortSignal): Promise<RespondAnswer> {
  requireMode(request.tenant, context.mode);
  return resolve(
    context,
    request,
    {
      resolution: 'merchant-accepted',
      message: 'The merchant accepts the dispute',
      refund_amount: wireAmount(request.amountMinor),
      uploaded_filename: '',
    },
    signal,
  );
}

/**
 * What was sold goes to POST /dispute/:id/evidence, the file to the address that GET /dispute/:id/upload_url gives, and PUT
 * /dispute/:id/resolve names both. The first two decide nothing: they may be repeated.
 */
async function contest(context: PaystackContext, request: ContestRequest, signal: AbortSignal): Promise<RespondAnswer> {
  requireMode(request.tenant, context.mode);
  const { evidence, providerDisputeId } = request;
  const path = `/dispute/${encodeURIComponent(providerDisputeId)}`;
  const body = {
    customer_email: evidence.customerEmail,
    customer_name: evidence.customerName,
    customer_phone: evidence.customerPhone,
    service_details: evidence.serviceDetails,
    ...(evidence.deliveryAddress !== null && { delivery_address: evidence.deliveryAddress }),
    ...(evidence.deliveryDate !== null && { delivery_date: evidence.deliveryDate }),
  };
  const kept = readBody(await context.http.request({ method: 'POST', path: `${path}/evidence`, body, signal }));
  const evidenceId = factOf(kept.data?.['id']);
  if (!kept.isSuccess || evidenceId === null) return afterRefusal(context, kept);
  const [file] = evidence.files;
  let fileName = '';
  if (file !== undefined) {
    const query = { upload_filename: file.fileName };
    const got = readBody(await context.http.request({ method: 'GET', path: `${path}/upload_url`, query, signal }));
    const url = textOf(got.data?.['signedUrl']);
    fileName = textOf(got.data?.['fileName']);
    if (!got.isSuccess || url === '' || fileName === '') return afterRefusal(context, got);
    const status = await uploadTo(url, file, signal);
    if (status < 200 || status > 299) {
      const unsaved = { reason: 'EVIDENCE_NOT_UPLOADED', message: 'The file could not be uploaded to Paystack' };
      return { outcome: 'unknown', ...saidOf(unsaved, `HTTP ${status}`, context.clock.now()) };
    }
  }
  return resolve(
    context,
    request,
    {
      resolution: 'declined',
      message: evidence.message,
      refund_amount: 0,
      uploaded_filename: fileName,
      evidence: Number(evidenceId),
    },
    signal,
  );
}

async function resolve(
  context: PaystackContext,
  { providerDisputeId }: RespondRequest,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<RespondAnswer> {
  const path = `/dispute/${encodeURIComponent(providerDisputeId)}/resolve`;
  const got = readBody(await context.http.request({ method: 'PUT', path, body, signal }));
  if (got.isSuccess) return { outcome: 'taken', ...saidOf(TAKEN, got.code, context.clock.now()) };
  return afterRefusal(context, got);
}

function afterRefusal({ clock }: PaystackContext, got: Got): RespondAnswer {
  const refusal = listedRefusal(got, REFUSALS);
  return refusal === undefined
    ? { outcome: 'unknown', ...saidOf(whyUnknown(got), got.code, clock.now()) }
    : { outcome: 'refused', ...saidOf(refusal, got.code, clock.now()) };
}
