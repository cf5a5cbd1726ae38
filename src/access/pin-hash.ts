import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError } from '../platform/errors.ts';
import { hashAsStored, type KeyedHash } from '../platform/keyed-hash.ts';
import { createConcurrencyLimit } from '../platform/owner-queue.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Tenant } from '../platform/tenant.ts';

const argon2Async = promisify(argon2);

/**
 * Of the settings that OWASP counts as equally strong for argon2id, this has the least memory, because each thread that
 * may hash keeps what it took. 20 to 40 ms on a small server.
 */
const MEMORY_KIB = 7_168;
const PASSES = 5;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const SETTINGS = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)$/;

/** argon2id with its settings and salt, as `$argon2id$v=19$m=...,t=...,p=1$salt$hash`. */
export async function slowHash(secret: string): Promise<string> {
  const settings = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(randomBytes(SALT_BYTES))}`;
  return `${settings}$${await slowHashUnder(settings, secret)}`;
}

/** Uses the settings that the hash was made with, so that they may be raised later. */
export async function slowHashMatches(secret: string, stored: string): Promise<boolean> {
  const end = stored.lastIndexOf('$');
  const hash = await slowHashUnder(stored.slice(0, end), secret);
  const [one, other] = [Buffer.from(hash), Buffer.from(stored.slice(end + 1))];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The hash alone, under given settings and salt: `$argon2id$v=19$m=...,t=...,p=1$salt`. */
export async function slowHashUnder(settings: string, secret: string): Promise<string> {
  const [, memory, passes, salt] = SETTINGS.exec(settings) ?? [];
  if (salt === undefined) throw new Error('not an argon2id hash of this service');
  const nonce = Buffer.from(salt, 'base64');
  const how = { parallelism: 1, tagLength: HASH_BYTES, memory: Number(memory), passes: Number(passes) };
  return base64(await argon2Async('argon2id', { message: secret, nonce, ...how }));
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** Keeps PINs apart from everything else that is hashed under the pepper. */
export const PIN_PURPOSE = 'pin';

/** A PIN as it is stored. */
export interface StoredPin extends KeyedHash {
  /** The settings and salt of the slow hash below the first pepper, in rows of earlier releases; otherwise null. */
  readonly slow: string | null;
}

/**
 * Slow hashes of earlier releases are checked one at a time, some fifteen a second, however many merchants give their
 * PIN for the first time since the upgrade: that costs the others a third of a core at most. A request that would wait
 * longer than some seven seconds is refused for now.
 */
const slowTurns = createConcurrencyLimit({
  atOnce: 1,
  maxWaiting: 100,
  tooMany: () =>
    new AppError('unavailable', 'OVERLOADED', 'The service is busy. Please try again shortly.', {
      retryAfterSeconds: 5,
    }),
});

/**
 * A PIN as it is stored from now on. An attacker with both the hash and the pepper guesses four digits at once, however
 * slow the hash is; an attacker with the database alone never does.
 */
export function hashOfPin(secrets: Pick<Secrets, 'hmac'>, tenant: Tenant, pin: string): string {
  return secrets.hmac(PIN_PURPOSE, textOf(tenant, pin));
}

/** Whether `stored` is as `hashOfPin` makes it, and can be compared with that alone. */
export function isStoredPlainly({ slow, pepper_ids }: StoredPin, { pepperId }: Pick<Secrets, 'pepperId'>): boolean {
  return slow === null && pepper_ids?.length === 1 && pepper_ids[0] === pepperId;
}

/**
 * The hash of `pin`, made in the way in which `stored` was made.
 * @throws AppError 503 where a pepper is missing, or too many wait.
 */
export function hashOfPinAs(
  stored: Pick<StoredPin, 'slow' | 'pepper_ids'>,
  secrets: Pick<Secrets, 'pepperId' | 'hmacUnder'>,
  tenant: Tenant,
  pin: string,
): Promise<string> {
  const { slow } = stored;
  if (slow === null) return hashAsStored(secrets, stored, { purpose: PIN_PURPOSE, text: textOf(tenant, pin) });
  return hashAsStored(secrets, stored, {
    purpose: PIN_PURPOSE,
    // The text of the time when a merchant had one PIN for both modes.
    text: `${tenant.merchantId}:${pin}`,
    slow: (hash) => slowHashInTurn(slow, hash),
  });
}

/**
 * Hashes one secret at a time. After each hash comes a pause twice as long as the hash took; only the next in the queue
 * waits for it.
 */
function slowHashInTurn(settings: string, secret: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const turn = slowTurns.run(async () => {
      const beganAt = performance.now();
      resolve(await slowHashUnder(settings, secret));
      await sleep(2 * (performance.now() - beganAt), undefined, { ref: false });
    });
    turn.catch(reject);
  });
}

function textOf({ merchantId, mode }: Tenant, pin: string): string {
  return `${merchantId}:${mode}:${pin}`;
}
