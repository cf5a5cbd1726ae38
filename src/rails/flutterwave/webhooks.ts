import type { Clock } from '../../platform/clock.ts';
import { providerWebhookMalformed, providerWebhookSignatureInvalid } from '../errors.ts';
import type { ProviderWebhook, ProviderWebhookRequest, RailAnswer } from '../port.ts';
import {
  answerOf,
  type BankNumbering,
  fieldsOf,
  isSameSecret,
  readJson,
  textOf,
  unknown,
} from '../provider-answers.ts';
import { openedOnce } from '../provider-webhook.ts';
import { differencesOf } from '../reported.ts';
import { type FlutterwaveTransfer, toTransfer } from './transfers.ts';

/**
 * The event of a webhook that carries the secret. Its sender knows the secret; nothing proves what is in it.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export const readWebhookEvent = openedOnce((secretHash, request): { event: string; body: Record<string, unknown> } => {
  if (!isSameSecret(request.headers['verif-hash'] ?? '', secretHash)) throw providerWebhookSignatureInvalid();
  const body = fieldsOf(readJson(request.rawBody));
  if (body === undefined) throw providerWebhookMalformed();
  const event = `${textOf(body['event'])}${textOf(body['event.type'])}`;
  if (event === '') throw providerWebhookMalformed();
  return { event, body };
});

/**
 * A webhook of Flutterwave carries a secret in `verif-hash` that is the same each time: it proves who may have sent it,
 * but not what. So it only makes us ask the provider, with our own key, what became of the transfer, and that answer is the
 * provider webhook's. One that names another transfer than the provider then shows is not confirmed. The question goes past
 * the rail's slots and breaker: as many are asked as webhooks with the secret come in.
 * Source: https://developer.flutterwave.com/docs/webhooks and the sample payloads of its version 3 documentation, which
 * also advise to ask again before giving value.
 *
 * @returns no provider webhook for webhooks about anything but a transfer.
 * @throws AppError `PROVIDER_WEBHOOK_SIGNATURE_INVALID`, `PROVIDER_WEBHOOK_MALFORMED`.
 */
export async function readFlutterwaveWebhook(
  secretHash: string,
  request: ProviderWebhookRequest,
  { ask, banks, clock }: { ask(railReference: string): Promise<RailAnswer>; banks: BankNumbering; clock: Clock },
): Promise<ProviderWebhook[]> {
  const { event, body } = readWebhookEvent(secretHash, request);
  if (!/^transfer/i.test(event)) return [];
  // The older form of the payload has it under `transfer`.
  const named = toTransfer(body['data'] ?? body['transfer'], banks);
  if (named === undefined) throw providerWebhookMalformed();
  const answer = await ask(named.reference).catch(() => undefined);
  return [
    {
      providerWebhookId: `${named.id}:${named.isReversed ? 'REVERSED' : named.status}`,
      railReference: named.reference,
      tenant: null,
      answer: answer !== undefined && confirms(answer, named) ? answer : unconfirmed(named, clock.now()),
    },
  ];
}

function confirms({ outcome, reported }: RailAnswer, named: FlutterwaveTransfer): boolean {
  return outcome !== 'not_found' && differencesOf(named.reported, reported).length === 0;
}

function unconfirmed({ status, reported }: FlutterwaveTransfer, at: Date): RailAnswer {
  const why = 'Flutterwave sent a webhook, but did not confirm it when asked';
  return answerOf(unknown('PROVIDER_WEBHOOK_UNCONFIRMED', why), status, null, at, reported);
}
