import { randomInt } from 'node:crypto';
import { hashAsStored } from '../../platform/keyed-hash.ts';
import type { Secrets } from '../../platform/secrets.ts';

const COUNT = 10;
/** Without the letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Of each half: ten of these letters are 49 bits, and guesses are counted. */
const HALF_LENGTH = 5;

/** Keeps recovery codes apart from everything else that is hashed under the pepper. */
export const RECOVERY_PURPOSE = 'recovery-code';

/** Ten codes for the day that the phone is lost, `k7mwq-3xr9t`, and what is kept of them. */
export function makeRecoveryCodes(
  secrets: Secrets,
  personId: string,
): { codes: string[]; hashes: string[]; pepperIds: string[] } {
  const codes = Array.from({ length: COUNT }, () => `${letters()}-${letters()}`);
  const hashes = codes.map((code) => secrets.hmac(RECOVERY_PURPOSE, textOf(personId, code)));
  return { codes, hashes, pepperIds: [secrets.pepperId] };
}

/**
 * A code in the way in which the person's codes are stored. @throws AppError 503 where a pepper is missing.
 * @param pepperIds null: under the first pepper of this database.
 */
export function hashOfRecoveryCode(
  secrets: Secrets,
  pepperIds: readonly string[] | null,
  { personId, code }: { personId: string; code: string },
): Promise<string> {
  return hashAsStored(secrets, { pepper_ids: pepperIds }, { purpose: RECOVERY_PURPOSE, text: textOf(personId, code) });
}

/** Typed with or without its hyphen, in whatever case. */
function textOf(personId: string, code: string): string {
  return `${personId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`;
}

function letters(): string {
  return Array.from({ length: HALF_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
