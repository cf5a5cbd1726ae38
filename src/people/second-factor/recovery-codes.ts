import { randomInt } from 'node:crypto';
import type { Secrets } from '../../platform/secrets.ts';

const COUNT = 10;
/** Without the letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Of each half: ten of these letters are 49 bits, and guesses are counted. */
const HALF_LENGTH = 5;

/** Ten codes for the day that the phone is lost, `k7mwq-3xr9t`, and what is kept of them. */
export function makeRecoveryCodes(secrets: Secrets, personId: string): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: COUNT }, () => `${letters()}-${letters()}`);
  return { codes, hashes: codes.map((code) => hashOfRecoveryCode(secrets, personId, code)) };
}

/** Typed with or without its hyphen, in whatever case. */
export function hashOfRecoveryCode(secrets: Secrets, personId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return secrets.hmac('recovery-code', `${personId}:${plain}`);
}

function letters(): string {
  return Array.from({ length: HALF_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
