import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../platform/tenant.ts';

export type KeyKind = 'SECRET' | 'PUBLIC';

const PREFIXES: Record<KeyKind, Record<Mode, string>> = {
  SECRET: { SANDBOX: 'sk_test_', LIVE: 'sk_live_' },
  PUBLIC: { SANDBOX: 'pk_test_', LIVE: 'pk_live_' },
};

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 > 2^256 and 62^6 > 2^32: both parts always have the same length. */
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^(sk|pk)_(test|live)_[0-9A-Za-z]{49}$/;

export function keyPrefix(mode: Mode, kind: KeyKind): string {
  return PREFIXES[kind][mode];
}

/** A new key: prefix, 256 random bits and a checksum over both, in base62. */
export function makeApiKey(mode: Mode, kind: KeyKind): string {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`);
  const body = keyPrefix(mode, kind) + base62(random, RANDOM_LENGTH);
  return body + checksum(body);
}

/**
 * Undefined for anything that by its form was never issued by us, so that a typing error costs no look-up. The checksum
 * is no secret: it shows an attacker no more than the length does.
 */
export function parseApiKey(text: string): { mode: Mode; kind: KeyKind } | undefined {
  const shape = SHAPE.exec(text);
  if (shape === null) return undefined;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  return { mode: shape[2] === 'test' ? 'SANDBOX' : 'LIVE', kind: shape[1] === 'sk' ? 'SECRET' : 'PUBLIC' };
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, '0');
}
