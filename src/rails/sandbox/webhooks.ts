import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Tenant } from '../../platform/tenant.ts';
import { providerWebhookMalformed } from '../errors.ts';
import type { ProviderWebhook, ProviderWebhookRequest } from '../port.ts';
import { isAboutCredit } from './credit-webhooks.ts';
import type { TransferRow } from './queries.ts';
import type { SandboxScenario } from './scenarios.ts';
import { openSigned, signedRequest } from './signature.ts';
import { readCode, reportedOf } from './transfer-state.ts';

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
  return { request: signedRequest(secret, body, now), copies: planned.copies ?? 1 };
}

/** When the provider webhook with this index is due, counted from the transfer's arrival; null when none is left. */
export function webhookDueAt(scenario: SandboxScenario, index: number, receivedAt: Date): Date | null {
  const planned = scenario.providerWebhooks?.[index];
  return planned === undefined ? null : new Date(receivedAt.getTime() + planned.seconds * 1_000);
}

/**
 * @returns none for a webhook about money that came in.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export function readWebhook(secret: string, request: ProviderWebhookRequest, now: Date): ProviderWebhook[] {
  const body = openSigned(secret, request, now);
  if (isAboutCredit(body)) return [];
  if (!Value.Check(ProviderWebhookBody, body)) throw providerWebhookMalformed();
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
