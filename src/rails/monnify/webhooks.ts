import { createHmac } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { fromDecimal } from '../decimal-amount.ts';
import { providerWebhookMalformed, providerWebhookSignatureInvalid } from '../errors.ts';
import type { ProviderWebhook, ProviderWebhookRequest } from '../port.ts';
import {
  answerOf,
  type BankNumbering,
  fieldsOf,
  isSameSecret,
  listedIn,
  type ProviderReading,
  readJson,
  textOf,
  unknown,
} from '../provider-answers.ts';
import { openedOnce } from '../provider-webhook.ts';
import { factOf } from '../wallet-answers.ts';
import type { CreditHint } from '../wallet-provider.ts';
import { accountPaidTo, firstOf } from './credits.ts';
import { type MonnifyTransfer, readStatus, toTransfer } from './transfers.ts';

/** Event and status say the same thing twice; where they differ, nothing was said. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  SUCCESSFUL_DISBURSEMENT: ['SUCCESS', 'COMPLETED'],
  FAILED_DISBURSEMENT: ['FAILED'],
  REVERSED_DISBURSEMENT: ['REVERSED'],
};

const CREDIT_EVENT = 'SUCCESSFUL_TRANSACTION';

/** What both roles of an account have in common. @throws as they do */
export const openWebhook = openedOnce((secretKey, request): { event: string; data: unknown } => {
  const expected = createHmac('sha512', secretKey).update(request.rawBody).digest('hex');
  if (!isSameSecret(request.headers['monnify-signature'] ?? '', expected)) throw providerWebhookSignatureInvalid();
  const body = fieldsOf(readJson(request.rawBody));
  const event = textOf(body?.['eventType']);
  if (body === undefined || event === '') throw providerWebhookMalformed();
  return { event, data: body['eventData'] };
});

/**
 * A webhook of Monnify. `monnify-signature` is the HMAC-SHA512 of the body's bytes with the secret key, in hexadecimal:
 * https://developers.monnify.com/docs/webhooks/event-types, whose example is a test here. It has no time in it, so an
 * old provider webhook can come again; its id is the same then.
 *
 * @returns no provider webhook for webhooks about anything but a disbursement.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export function readMonnifyWebhook(
  { secretKey, banks, clock }: { secretKey: string; banks: BankNumbering; clock: Clock },
  request: ProviderWebhookRequest,
): ProviderWebhook[] {
  const { event, data } = openWebhook(secretKey, request);
  if (!event.endsWith('_DISBURSEMENT')) return [];
  const transfer = toTransfer(data, banks);
  if (transfer === undefined) throw providerWebhookMalformed();
  const { reference, transactionReference, status, sessionId, reported } = transfer;
  return [
    {
      providerWebhookId: `${transactionReference || reference}:${event}`,
      railReference: reference,
      tenant: null,
      answer: answerOf(readEvent(event, transfer), status, sessionId, clock.now(), reported),
    },
  ];
}

/**
 * The payment that a webhook reports, signed as the others are. It may be one to something else than an account of ours: the
 * query says.
 *
 * @returns none for webhooks about anything but a successful payment.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export function readMonnifyCreditWebhook(secretKey: string, request: ProviderWebhookRequest): CreditHint[] {
  const { event, data } = openWebhook(secretKey, request);
  if (event !== CREDIT_EVENT) return [];
  const fields = fieldsOf(data);
  const providerTransactionId = textOf(fields?.['transactionReference']);
  if (fields === undefined || providerTransactionId === '') throw providerWebhookMalformed();
  return [
    {
      providerTransactionId,
      providerReference: factOf(fields['paymentReference']),
      sessionId: factOf(firstOf(fields['paymentSourceInformation'])?.['sessionId']),
      amountMinor: fromDecimal(fields['amountPaid']),
      accountNumber: accountPaidTo(fields),
    },
  ];
}

function readEvent(event: string, { status, description }: MonnifyTransfer): ProviderReading {
  if (listedIn(STATUSES, event)?.includes(status) === true) return readStatus(status, description);
  return unknown('PROVIDER_WEBHOOK_UNCLEAR', `The webhook is called ${event} and says ${status}`);
}
