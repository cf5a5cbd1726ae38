import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/**
 * Of the settings that OWASP counts as equally strong for argon2id, the one with the least memory: each of the threads
 * that may hash keeps what it took. 20 to 40 ms on a small server.
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

/** The hash alone, under settings and salt of before: `$argon2id$v=19$m=...,t=...,p=1$salt`. */
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
