import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Tenant } from '../../platform/tenant.ts';
import { providerWebhookMalformed, providerWebhookSignatureInvalid } from '../errors.ts';
import type { ProviderWebhook, ProviderWebhookRequest } from '../port.ts';
import type { TransferRow } from './queries.ts';
import type { SandboxScenario } from './scenarios.ts';
import { readCode, reportedOf } from './transfer-state.ts';

const TIMESTAMP_HEADER = 'x-sandbox-rail-timestamp';
const SIGNATURE_HEADER = 'x-sandbox-rail-signature';
/** An older or younger signature is a replay or a wrong clock. A provider webhook is signed anew whenever it is delivered. */
const SIGNATURE_AGE_MAX_SECONDS = 300;

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
  const rawBody = Buffer.from(JSON.stringify(body));
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signatureOf(secret, timestamp, rawBody) };
  return { request: { headers, rawBody }, copies: planned.copies ?? 1 };
}

/** When the provider webhook with this index is due, counted from the transfer's arrival; null when none is left. */
export function webhookDueAt(scenario: SandboxScenario, index: number, receivedAt: Date): Date | null {
  const planned = scenario.providerWebhooks?.[index];
  return planned === undefined ? null : new Date(receivedAt.getTime() + planned.seconds * 1_000);
}

/** @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`. */
export function readWebhook(secret: string, request: ProviderWebhookRequest, now: Date): ProviderWebhook {
  const timestamp = request.headers[TIMESTAMP_HEADER] ?? '';
  const given = Buffer.from(request.headers[SIGNATURE_HEADER] ?? '');
  const expected = Buffer.from(signatureOf(secret, timestamp, request.rawBody));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw providerWebhookSignatureInvalid();
  if (!(Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= SIGNATURE_AGE_MAX_SECONDS))
    throw providerWebhookSignatureInvalid();

  const body = parse(request.rawBody);
  return {
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
}

function parse(rawBody: Buffer): Static<typeof ProviderWebhookBody> {
  try {
    const body: unknown = JSON.parse(rawBody.toString('utf8'));
    if (Value.Check(ProviderWebhookBody, body)) return body;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw providerWebhookMalformed();
}

function signatureOf(secret: string, timestamp: string, rawBody: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
}
