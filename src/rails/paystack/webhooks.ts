import { createHmac } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { providerWebhookMalformed, providerWebhookSignatureInvalid } from '../errors.ts';
import type { ProviderWebhook, ProviderWebhookRequest } from '../port.ts';
import {
  answerOf,
  type BankNumbering,
  fieldsOf,
  isSameSecret,
  listedIn,
  readJson,
  textOf,
  unknown,
} from '../provider-answers.ts';
import { openedOnce } from '../provider-webhook.ts';
import { readStatus, reportedOf, sessionIdOf } from './transfers.ts';

/** The only events about transfers, each with the status that its transfer has. */
const EVENTS: Readonly<Record<string, string>> = {
  'transfer.success': 'success',
  'transfer.failed': 'failed',
  'transfer.reversed': 'reversed',
};

interface SignedEvent {
  event: string;
  data: Record<string, unknown> | undefined;
}

/**
 * Paystack signs the raw body with HMAC-SHA512 under the secret key and sends it, in hexadecimal, as
 * `x-paystack-signature` (https://paystack.com/docs/payments/webhooks/). It has no time in it, so an old provider webhook can come
 * again; applying one twice changes nothing.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED`
 */
export const readSignedEvent = openedOnce((secretKey, request): SignedEvent => {
  const expected = createHmac('sha512', secretKey).update(request.rawBody).digest('hex');
  const given = request.headers['x-paystack-signature'];
  if (given === undefined || !isSameSecret(given.toLowerCase(), expected)) throw providerWebhookSignatureInvalid();

  const body = fieldsOf(readJson(request.rawBody));
  const event = textOf(body?.['event']);
  if (event === '') throw providerWebhookMalformed();
  return { event, data: fieldsOf(body?.['data']) };
});

/**
 * Events about anything but transfers are none of a rail's: an empty list.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID` or `PROVIDER_WEBHOOK_MALFORMED`
 */
export function readPaystackWebhook(
  { secretKey, banks, clock }: { secretKey: string; banks: BankNumbering; clock: Clock },
  request: ProviderWebhookRequest,
): ProviderWebhook[] {
  const { event, data } = readSignedEvent(secretKey, request);
  const status = listedIn(EVENTS, event);
  if (status === undefined) return [];

  const railReference = textOf(data?.['reference']);
  const id = textOf(data?.['id']) || textOf(data?.['transfer_code']);
  if (data === undefined || railReference === '' || id === '') throw providerWebhookMalformed();
  const reading =
    data['status'] === status
      ? readStatus(status)
      : unknown('PROVIDER_WEBHOOK_UNCLEAR', `The webhook ${event} carries a transfer with another status`);
  const answer = answerOf(reading, status, sessionIdOf(data), clock.now(), reportedOf(data, banks));
  return [{ providerWebhookId: `${event}:${id}`, railReference, tenant: null, answer }];
}
