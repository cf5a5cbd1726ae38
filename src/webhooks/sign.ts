import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { EventRow } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Mode } from '../platform/tenant.ts';

const PREFIX = 'whsec_';
/** As many as SHA-256 has, which is what signs. */
const SECRET_BYTES = 32;

/** A new secret, as a receiver keeps it: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** What a secret signs with, worked out once. */
export interface SigningKey {
  /** The bytes behind `whsec_`: the key of `webhook-signature`. */
  bytes: KeyObject;
  /** The secret as it is shown, prefix and all: the key of `x-manilla-signature`. */
  text: KeyObject;
}

export function signingKey(secret: string): SigningKey {
  return {
    bytes: createSecretKey(secret.slice(PREFIX.length), 'base64'),
    text: createSecretKey(secret, 'utf8'),
  };
}

interface Signed {
  id: string;
  type: string;
  /** The exact bytes of the body, as text. */
  payload: string;
}

/**
 * The headers of one call. `webhook-signature` is Standard Webhooks: HMAC-SHA256 in base64 over `id.timestamp.body`, one
 * for each key, newest first. `x-manilla-signature` is what SDKs of this market check: HMAC-SHA512 in hex over the body
 * alone, keyed with the UTF-8 bytes of the newest secret as it is shown; while an older one signs along, its signature
 * is in `x-manilla-signature-previous`.
 * @param keys at least one, newest first
 */
export function signedHeaders(keys: readonly SigningKey[], signed: Signed, clock: Clock): Record<string, string> {
  const timestamp = Math.floor(clock.now().getTime() / 1000);
  const content = `${signed.id}.${timestamp}.${signed.payload}`;
  const [newest, previous] = keys;
  if (newest === undefined) throw new Error('nothing to sign with');
  return {
    'content-type': 'application/json',
    'user-agent': 'Manilla-Webhooks/1.0',
    'webhook-id': signed.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys
      .map(({ bytes }) => `v1,${createHmac('sha256', bytes).update(content).digest('base64')}`)
      .join(' '),
    'x-manilla-event': signed.type,
    'x-manilla-signature': hmacSha512(newest, signed.payload),
    ...(previous !== undefined && { 'x-manilla-signature-previous': hmacSha512(previous, signed.payload) }),
  };
}

function hmacSha512(key: SigningKey, payload: string): string {
  return createHmac('sha512', key.text).update(payload).digest('hex');
}

/** Of the call that tests an address. Events count from 1, so nobody takes it for one of them. */
export const TEST_SEQUENCE = 0n;

export type DeliveredEvent = Pick<
  EventRow,
  'id' | 'sequence' | 'type' | 'data' | 'created_at' | 'request_id' | 'idempotency_key'
>;

/**
 * An event as it is sent, in a call and in the event log: the same bytes whenever and however often it is sent. `data` is
 * the text that was written with the change itself.
 */
export function payloadOf(event: DeliveredEvent, mode: Mode): string {
  const { id, type, sequence, created_at: createdAt, request_id: requestId, idempotency_key: idempotencyKey } = event;
  const cause = `"requestId":${JSON.stringify(requestId)},"idempotencyKey":${JSON.stringify(idempotencyKey)}`;
  return `{"id":"${id}","type":${JSON.stringify(type)},"sequence":${sequence},"mode":"${mode}","createdAt":"${createdAt.toISOString()}",${cause},"data":${event.data}}`;
}
