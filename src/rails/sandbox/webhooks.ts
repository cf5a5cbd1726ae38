import { createHmac } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { compileGuard } from '../../platform/http/validation.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { DisputeHint } from '../disputes.ts';
import { providerWebhookMalformed, providerWebhookSignatureInvalid } from '../errors.ts';
import type { ProviderWebhook, ProviderWebhookRequest } from '../port.ts';
import { fieldsOf, isSameSecret, readJson } from '../provider-answers.ts';
import { openedOnce } from '../provider-webhook.ts';
import type { ReportedSettlement } from '../settlements.ts';
import type { CreditHint } from '../wallet-provider.ts';
import type { PlannedCreditWebhook } from './payer-scenarios.ts';
import type { CreditRow, TransferRow } from './queries.ts';
import type { SandboxScenario } from './scenarios.ts';
import { readCode, reportedOf } from './transfer-state.ts';

const TIMESTAMP_HEADER = 'x-sandbox-rail-timestamp';
const SIGNATURE_HEADER = 'x-sandbox-rail-signature';
/** An older or younger signature is a replay or a wrong clock. A provider webhook is signed anew whenever it is delivered. */
const SIGNATURE_AGE_MAX_SECONDS = 300;

/** A webhook as the simulated bank sends it: JSON, and an HMAC-SHA256 of the time and the body's bytes. */
export function signedRequest(secret: string, body: unknown, now: Date): ProviderWebhookRequest {
  const rawBody = Buffer.from(JSON.stringify(body));
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signatureOf(secret, timestamp, rawBody) };
  return { headers, rawBody };
}

/**
 * The JSON that the simulated bank signed.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`; `PROVIDER_WEBHOOK_MALFORMED` where it is no JSON
 */
function openSigned(secret: string, request: ProviderWebhookRequest, now: Date): unknown {
  const { timestamp, body } = readSigned(secret, request);
  if (!(Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= SIGNATURE_AGE_MAX_SECONDS))
    throw providerWebhookSignatureInvalid();
  if (body === undefined) throw providerWebhookMalformed();
  return body;
}

/** The body is undefined where it is no JSON. */
const readSigned = openedOnce((secret, { headers, rawBody }): { timestamp: string; body: unknown } => {
  const timestamp = headers[TIMESTAMP_HEADER] ?? '';
  if (!isSameSecret(headers[SIGNATURE_HEADER] ?? '', signatureOf(secret, timestamp, rawBody))) {
    throw providerWebhookSignatureInvalid();
  }
  return { timestamp, body: readJson(rawBody) };
});

function signatureOf(secret: string, timestamp: string, rawBody: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
}

const EVENT = 'credit';
/** What `forged` signs with. */
const NOT_THE_SECRET = 'somebody else’s';
const WRONG_AMOUNT_FACTOR = 10n;

const CreditWebhookBody = Type.Object({
  /** What sets it apart from the webhooks of transfers. */
  event: Type.Literal(EVENT),
  id: Type.String({ minLength: 1 }),
  sequence: Type.Integer({ minimum: 1 }),
  transactionId: Type.String({ minLength: 1 }),
  /** A card has none. */
  sessionId: Type.Union([Type.String({ pattern: '^\\d{30}$' }), Type.Null()]),
  accountNumber: Type.String({ minLength: 1 }),
  amountMinor: Type.String({ pattern: '^[1-9]\\d{0,17}$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  status: Type.String({ minLength: 1 }),
});
const isCreditWebhookBody = compileGuard(CreditWebhookBody);

type NotifiedCredit = Pick<
  CreditRow,
  'id' | 'channel' | 'session_id' | 'account_number' | 'amount_minor' | 'currency' | 'webhooks_delivered'
>;

/** A webhook of the simulated bank about a credit, ready to be delivered. */
export function signCreditWebhook(
  secret: string,
  row: NotifiedCredit,
  planned: PlannedCreditWebhook,
  now: Date,
): ProviderWebhookRequest {
  const number = row.webhooks_delivered + 1;
  const amountMinor = planned.wrongAmount === true ? row.amount_minor * WRONG_AMOUNT_FACTOR : row.amount_minor;
  const body: Static<typeof CreditWebhookBody> = {
    event: EVENT,
    id: `${row.id}:${number}`,
    sequence: planned.sequence ?? number,
    transactionId: row.id,
    sessionId: row.channel === 'CARD' ? null : row.session_id,
    accountNumber: row.account_number,
    amountMinor: String(amountMinor),
    currency: row.currency,
    status: planned.status,
  };
  return signedRequest(planned.forged === true ? NOT_THE_SECRET : secret, body, now);
}

const DISPUTE_EVENT = 'dispute';

const DisputeWebhookBody = Type.Object({
  event: Type.Literal(DISPUTE_EVENT),
  id: Type.String({ minLength: 1 }),
  disputeId: Type.String({ minLength: 1 }),
});
const isDisputeWebhookBody = compileGuard(DisputeWebhookBody);

/** A webhook of the simulated bank that says that a payment is wanted back. */
export function signDisputeWebhook(secret: string, disputeId: string, now: Date): ProviderWebhookRequest {
  const body: Static<typeof DisputeWebhookBody> = { event: DISPUTE_EVENT, id: `${disputeId}:1`, disputeId };
  return signedRequest(secret, body, now);
}

/**
 * @returns none for a webhook about anything else.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`
 */
export function readSandboxDisputeWebhook(secret: string, request: ProviderWebhookRequest, now: Date): DisputeHint[] {
  const body = openSigned(secret, request, now);
  if (fieldsOf(body) === undefined) throw providerWebhookMalformed();
  if (!isAboutDispute(body)) return [];
  if (!isDisputeWebhookBody(body)) throw providerWebhookMalformed();
  return [{ providerDisputeId: body.disputeId }];
}

const SETTLEMENT_EVENT = 'settlement';

const SettlementWebhookBody = Type.Object({
  event: Type.Literal(SETTLEMENT_EVENT),
  id: Type.String({ minLength: 1 }),
  reference: Type.String({ minLength: 1 }),
  lumpMinor: Type.String({ pattern: '^\\d{1,18}$' }),
  settledOn: Type.String({ format: 'date' }),
});
const isSettlementWebhookBody = compileGuard(SettlementWebhookBody);

/** A webhook of the simulated bank that says what it settled; its lines are asked for. */
export function signSettlementWebhook(
  secret: string,
  { reference, lumpMinor, settledOn }: ReportedSettlement,
  now: Date,
): ProviderWebhookRequest {
  const body: Static<typeof SettlementWebhookBody> = {
    event: SETTLEMENT_EVENT,
    id: `${reference}:1`,
    reference,
    lumpMinor: String(lumpMinor),
    settledOn,
  };
  return signedRequest(secret, body, now);
}

/**
 * @returns none for a webhook about anything else.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`
 */
export function readSandboxSettlementWebhook(
  secret: string,
  request: ProviderWebhookRequest,
  now: Date,
): ReportedSettlement[] {
  const body = openSigned(secret, request, now);
  if (fieldsOf(body) === undefined) throw providerWebhookMalformed();
  if (!isAboutSettlement(body)) return [];
  if (!isSettlementWebhookBody(body)) throw providerWebhookMalformed();
  const { reference, lumpMinor, settledOn } = body;
  const settled = { reference, status: 'SETTLED', mode: 'SANDBOX', currency: 'NGN', settledOn } as const;
  return [{ ...settled, lumpMinor: BigInt(lumpMinor) }];
}

function isAboutSettlement(body: unknown): boolean {
  return fieldsOf(body)?.['event'] === SETTLEMENT_EVENT;
}

function isAboutDispute(body: unknown): boolean {
  return fieldsOf(body)?.['event'] === DISPUTE_EVENT;
}

/** Whether the body of a webhook is about money that came in, and not about a transfer. */
function isAboutCredit(body: unknown): boolean {
  return fieldsOf(body)?.['event'] === EVENT;
}

/**
 * @returns none for a webhook about a transfer.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`
 */
export function readSandboxCreditWebhook(secret: string, request: ProviderWebhookRequest, now: Date): CreditHint[] {
  const body = openSigned(secret, request, now);
  if (fieldsOf(body) === undefined) throw providerWebhookMalformed();
  if (!isAboutCredit(body)) return [];
  if (!isCreditWebhookBody(body)) throw providerWebhookMalformed();
  return [
    {
      providerTransactionId: body.transactionId,
      providerReference: null,
      sessionId: body.sessionId,
      amountMinor: BigInt(body.amountMinor),
      accountNumber: body.accountNumber,
      ...(body.status === 'REVERSED' && { isReversal: true }),
    },
  ];
}

const ProviderWebhookBody = Type.Object({
  id: Type.String({ minLength: 1 }),
  sequence: Type.Integer({ minimum: 1 }),
  merchantId: Type.String({ format: 'uuid' }),
  mode: Type.Literal('SANDBOX'),
  /** Of the payout that it is sent about; `reported` is what it says of its transfer. */
  railReference: Type.String({ minLength: 1 }),
  reportedReference: Type.String({ minLength: 1 }),
  accountNumber: Type.String({ minLength: 1 }),
  bankCode: Type.String({ minLength: 1 }),
  amountMinor: Type.String({ pattern: '^[1-9]\\d{0,17}$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  code: Type.String({ minLength: 1 }),
  sessionId: Type.String(),
});
const isProviderWebhookBody = compileGuard(ProviderWebhookBody);

type Notified = Pick<
  TransferRow,
  'rail_reference' | 'amount_minor' | 'currency' | 'bank_code' | 'account_number' | 'session_id' | 'webhooks_delivered'
>;

/** The nth provider webhook of a transfer, ready to be delivered; undefined when the scenario plans no such. */
export function signWebhook(
  secret: string,
  tenant: Tenant,
  row: Notified,
  scenario: SandboxScenario,
  now: Date,
): { request: ProviderWebhookRequest; copies: number } | undefined {
  const at = row.webhooks_delivered;
  const planned = scenario.providerWebhooks?.[at];
  if (planned === undefined) return undefined;
  const { railReference, amountMinor, currency, accountNumber, bankCode } = reportedOf(scenario, row);
  const body: Static<typeof ProviderWebhookBody> = {
    id: `${row.rail_reference}:${at + 1}`,
    sequence: planned.sequence ?? at + 1,
    merchantId: tenant.merchantId,
    mode: 'SANDBOX',
    railReference: row.rail_reference,
    reportedReference: String(railReference),
    accountNumber: String(accountNumber),
    bankCode: String(bankCode),
    amountMinor: String(planned.wrongAmount === true ? row.amount_minor + 1n : amountMinor),
    currency: String(currency),
    code: planned.code,
    sessionId: row.session_id,
  };
  return { request: signedRequest(secret, body, now), copies: planned.copies ?? 1 };
}

/** When the provider webhook with this index is due, counted from the transfer's arrival; null when none is left. */
export function webhookDueAt(scenario: SandboxScenario, index: number, receivedAt: Date): Date | null {
  const planned = scenario.providerWebhooks?.[index];
  return planned === undefined ? null : new Date(receivedAt.getTime() + planned.seconds * 1_000);
}

/**
 * @returns none for a webhook about money that came in, was settled, or is wanted back.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export function readWebhook(secret: string, request: ProviderWebhookRequest, now: Date): ProviderWebhook[] {
  const body = openSigned(secret, request, now);
  if (isAboutCredit(body) || isAboutDispute(body) || isAboutSettlement(body)) return [];
  if (!isProviderWebhookBody(body)) throw providerWebhookMalformed();
  const webhook: ProviderWebhook = {
    providerWebhookId: body.id,
    railReference: body.railReference,
    tenant: { merchantId: body.merchantId, mode: body.mode },
    answer: {
      ...readCode('query', body.code),
      code: body.code,
      sessionId: body.sessionId,
      at: now,
      reported: {
        railReference: body.reportedReference,
        amountMinor: BigInt(body.amountMinor),
        currency: body.currency,
        accountNumber: body.accountNumber,
        bankCode: body.bankCode,
      },
    },
  };
  return [webhook];
}
