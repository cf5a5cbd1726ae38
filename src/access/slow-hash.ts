import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/**
 * Of the settings that OWASP counts as equally strong for argon2id, the one with the least memory: each of the four
 * threads that may hash keeps what it took. 20 to 40 ms on a small server.
 */
const MEMORY_KIB = 7_168;
const PASSES = 5;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const SHAPE = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** argon2id with its parameters and salt, as `$argon2id$v=19$m=...,t=...,p=1$salt$hash`. */
export async function slowHash(secret: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(secret, salt, MEMORY_KIB, PASSES);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(salt)}$${base64(hash)}`;
}

/** Uses the parameters that the hash was made with, so that they may be raised later. */
export async function slowHashMatches(secret: string, stored: string): Promise<boolean> {
  const [, memory, passes, salt, hash] = SHAPE.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) throw new Error('not an argon2id hash of this house');
  const derived = await derive(secret, Buffer.from(salt, 'base64'), Number(memory), Number(passes));
  return timingSafeEqual(derived, Buffer.from(hash, 'base64'));
}

function derive(secret: string, nonce: Buffer, memory: number, passes: number): Promise<Buffer> {
  return argon2Async('argon2id', { message: secret, nonce, parallelism: 1, tagLength: HASH_BYTES, memory, passes });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
