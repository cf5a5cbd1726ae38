import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { EventRow } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { findSecret, insertFirstSecret, listValidSecrets, type SecretRow } from './queries.ts';

const PREFIX = 'whsec_';
/** As many bytes as SHA-256 has, which makes the signature. */
const SECRET_BYTES = 32;

/** A new secret, as a receiver keeps it: `whsec_` and 32 random bytes in base64. */
export function makeSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The present second, as signatures name it: since 1970. */
export const secondOf = (clock: Clock): number => Math.floor(clock.now().getTime() / 1_000);

/** The keys that a secret signs with, computed once. */
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
 * @param second when it is sent, from `secondOf`
 */
export function signedHeaders(keys: readonly SigningKey[], signed: Signed, second: number): Record<string, string> {
  const content = `${signed.id}.${second}.${signed.payload}`;
  const [newest, previous] = keys;
  if (newest === undefined) throw new Error('nothing to sign with');
  return {
    'content-type': 'application/json',
    'user-agent': 'Manilla-Webhooks/1.0',
    'webhook-id': signed.id,
    'webhook-timestamp': String(second),
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

/** The sequence of a test call. Events count from 1, so nobody takes it for one of them. */
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

/** A call as it is sent. */
interface SignedCall {
  payload: string;
  headers: Record<string, string>;
}

export interface Signer {
  /** Signs the next of the events, which are sent in their order. */
  sign(event: DeliveredEvent): SignedCall;
  /** Signs the event after that, while the receiver has this one. */
  signAhead(): void;
}

/** A signature says its second: one that was made ahead is made anew where its second is over. */
export function createSigner(
  { mode, clock }: { mode: Mode; clock: Clock },
  keys: readonly SigningKey[],
  events: readonly DeliveredEvent[],
): Signer {
  let begun = 0;
  let ahead: { event: DeliveredEvent; second: number; signed: SignedCall } | undefined;
  const signedAt = (event: DeliveredEvent, second: number): SignedCall => {
    const payload = payloadOf(event, mode);
    return { payload, headers: signedHeaders(keys, { id: event.id, type: event.type, payload }, second) };
  };
  return {
    sign(event) {
      begun += 1;
      const second = secondOf(clock);
      return ahead?.event === event && ahead.second === second ? ahead.signed : signedAt(event, second);
    },
    signAhead() {
      const event = events[begun];
      if (event === undefined || ahead?.event === event) return;
      const second = secondOf(clock);
      ahead = { event, second, signed: signedAt(event, second) };
    },
  };
}

/**
 * So many secrets sign at the same time. Only repeated rotation would make more, and each lengthens the header of every
 * call.
 */
const MAX_SIGNING_SECRETS = 5;

export interface SecretDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

export interface ValidSecret {
  id: string;
  /** `whsec_…` in clear, for signing and for its owner. It never goes into a log or a table. */
  secret: string;
  createdAt: Date;
  /** Null for the current one. */
  expiresAt: Date | null;
}

/** The secrets that sign now, the present one first. A tenant that has none yet gets one. */
export async function readSecrets(deps: SecretDeps, tenant: Tenant): Promise<ValidSecret[]> {
  const { merchantId, mode } = tenant;
  const read = () => deps.database.query(listValidSecrets, [merchantId, mode, deps.clock.now(), MAX_SIGNING_SECRETS]);
  const rows = await read();
  if (rows[0]?.expires_at === null) return rows.map((row) => opened(deps, tenant, row));
  const id = newId();
  const values = [merchantId, mode, id, sealSecret(deps.secrets, tenant, id, makeSecret()), deps.clock.now()];
  await deps.database.query(insertFirstSecret, values);
  return (await read()).map((row) => opened(deps, tenant, row));
}

/** One secret of a tenant, also one that no longer signs. */
export async function requireSecret(deps: SecretDeps, tenant: Tenant, id: string): Promise<ValidSecret> {
  const [row] = await deps.database.query(findSecret, [tenant.merchantId, tenant.mode, id]);
  if (row === undefined) throw new Error(`no webhook secret ${id}`);
  return opened(deps, tenant, row);
}

export function sealSecret(secrets: Secrets, tenant: Tenant, id: string, secret: string): string {
  return secrets.seal(secret, contextOf(tenant, id));
}

function opened({ secrets }: SecretDeps, tenant: Tenant, row: SecretRow): ValidSecret {
  const secret = secrets.open(row.sealed, contextOf(tenant, row.id));
  return { id: row.id, secret, createdAt: row.created_at, expiresAt: row.expires_at };
}

/** The context that a sealed secret is bound to: it opens on its own row only. */
function contextOf({ merchantId, mode }: Tenant, id: string): string {
  return `webhook_secrets/${merchantId}/${mode}/${id}/sealed`;
}
