import type { Clock } from '../../platform/clock.ts';
import { fromDecimal } from '../decimal-amount.ts';
import { noticeMalformed, noticeSignatureInvalid } from '../errors.ts';
import type { NoticeRequest, RailAnswer, RailNotice } from '../port.ts';
import { answerOf, fieldsOf, isSameSecret, textOf, unknown } from '../provider-answers.ts';
import { toTransfer } from './transfer.ts';

/**
 * A webhook of Flutterwave carries a secret in `verif-hash` that is the same each time: it proves who may have sent it,
 * but not what. So a notice is only the bell. Whoever rings it rightly makes us ask the provider, with our own key,
 * what became of the transfer, and that is the notice's answer. What the notice claims counts for one thing: an amount
 * that is not ours makes the pipeline refuse it. The question goes past the rail's slots and breaker: as many are asked
 * as notices with the secret come in.
 * Source: https://developer.flutterwave.com/docs/webhooks and the sample payloads of its version 3 documentation, which
 * also advise to ask again before giving value.
 *
 * @returns no notice for webhooks about anything but a transfer.
 * @throws AppError `RAIL_NOTICE_SIGNATURE_INVALID`, `RAIL_NOTICE_MALFORMED`.
 */
export async function readFlutterwaveNotice(
  secretHash: string,
  request: NoticeRequest,
  { ask, clock }: { ask(railReference: string): Promise<RailAnswer>; clock: Clock },
): Promise<RailNotice[]> {
  if (!isSameSecret(request.headers['verif-hash'] ?? '', secretHash)) throw noticeSignatureInvalid();
  const body = fieldsOf(parse(request.rawBody));
  if (body === undefined) throw noticeMalformed();
  const event = `${textOf(body['event'])}${textOf(body['event.type'])}`;
  if (event === '') throw noticeMalformed();
  if (!/^transfer/i.test(event)) return [];
  // The older form of the payload has it under `transfer`.
  const value = fieldsOf(body['data'] ?? body['transfer']);
  const claim = toTransfer(value);
  const amountMinor = fromDecimal(value?.['amount']);
  if (claim === undefined || amountMinor === null) throw noticeMalformed();
  const answer = await ask(claim.reference).catch(() => undefined);
  return [
    {
      noticeId: `${claim.id}:${claim.isReversed ? 'REVERSED' : claim.status}`,
      railReference: claim.reference,
      tenant: null,
      amountMinor,
      currency: claim.currency === '' ? null : claim.currency,
      answer: answer === undefined || answer.outcome === 'not_found' ? unconfirmed(claim.status, clock.now()) : answer,
    },
  ];
}

function unconfirmed(code: string, at: Date): RailAnswer {
  const why = 'Flutterwave sent a notice, but did not confirm it when asked';
  return answerOf(unknown('RAIL_NOTICE_UNCONFIRMED', why), code, null, at);
}

function parse(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    throw noticeMalformed();
  }
}
