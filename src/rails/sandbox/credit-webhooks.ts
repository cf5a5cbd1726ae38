import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { providerWebhookMalformed } from '../errors.ts';
import type { ProviderWebhookRequest } from '../port.ts';
import { fieldsOf } from '../provider-answers.ts';
import type { CreditHint } from '../wallet-provider.ts';
import type { CreditRow } from './credit-queries.ts';
import type { PlannedCreditWebhook } from './payer-scenarios.ts';
import { openSigned, signedRequest } from './signature.ts';

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
  sessionId: Type.String({ pattern: '^\\d{30}$' }),
  accountNumber: Type.String({ minLength: 1 }),
  amountMinor: Type.String({ pattern: '^[1-9]\\d{0,17}$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  status: Type.String({ minLength: 1 }),
});

type Notified = Pick<
  CreditRow,
  'id' | 'session_id' | 'account_number' | 'amount_minor' | 'currency' | 'webhooks_delivered'
>;

/** A webhook of the simulated bank about a credit, ready to be delivered. */
export function signCreditWebhook(
  secret: string,
  row: Notified,
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
    sessionId: row.session_id,
    accountNumber: row.account_number,
    amountMinor: String(amountMinor),
    currency: row.currency,
    status: planned.status,
  };
  return signedRequest(planned.forged === true ? NOT_THE_SECRET : secret, body, now);
}

/** Whether the body of a webhook is about money that came in, and not about a transfer. */
export function isAboutCredit(body: unknown): boolean {
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
  if (!Value.Check(CreditWebhookBody, body)) throw providerWebhookMalformed();
  return [
    {
      providerTransactionId: body.transactionId,
      providerReference: null,
      sessionId: body.sessionId,
      amountMinor: BigInt(body.amountMinor),
      accountNumber: body.accountNumber,
    },
  ];
}
