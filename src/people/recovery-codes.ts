import { randomInt } from 'node:crypto';
import type { Database, Queries } from '../platform/db/database.ts';
import { NIL_ID } from '../platform/ids.ts';
import { hashAsStored, type PepperCount, rehash } from '../platform/keyed-hash.ts';
import type { Secrets } from '../platform/secrets.ts';
import {
  countRecoveryCodesByPepper,
  listRecoveryCodesNotUnder,
  updateRecoveryCodesForgotten,
  updateRecoveryCodesRehashed,
} from './queries.ts';

const COUNT = 10;
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** The length of each half: ten of these letters are 49 bits, and guesses are counted. */
const HALF_LENGTH = 5;

/** Keeps recovery codes apart from everything else that is hashed under the pepper. */
const RECOVERY_PURPOSE = 'recovery-code';

/** Ten codes for a lost phone, `k7mwq-3xr9t`, and what is stored of them. */
export function makeRecoveryCodes(
  secrets: Secrets,
  personId: string,
): { codes: string[]; hashes: string[]; pepperIds: string[] } {
  const codes = Array.from({ length: COUNT }, () => `${letters()}-${letters()}`);
  const hashes = codes.map((code) => secrets.hmac(RECOVERY_PURPOSE, textOf(personId, code)));
  return { codes, hashes, pepperIds: [secrets.pepperId] };
}

/**
 * The hash of a code, made as the person's codes are stored.
 * @throws AppError 503 where a pepper is missing.
 * @param pepperIds null: under the first pepper of this database.
 */
export function hashOfRecoveryCode(
  secrets: Secrets,
  pepperIds: readonly string[] | null,
  { personId, code }: { personId: string; code: string },
): Promise<string> {
  return hashAsStored(secrets, { pepper_ids: pepperIds }, { purpose: RECOVERY_PURPOSE, text: textOf(personId, code) });
}

/** With or without its hyphen, in any case. */
function textOf(personId: string, code: string): string {
  return `${personId}:${code.toLowerCase().replaceAll(/[\s-]/g, '')}`;
}

function letters(): string {
  return Array.from({ length: HALF_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** People read and written at once. */
const PIECE = 500;

/** How many people's recovery codes need each pepper. */
export function countRecoveryPeppers(queries: Queries): Promise<PepperCount[]> {
  return queries.query(countRecoveryCodesByPepper);
}

/**
 * Hashes all recovery codes that are not under the newest pepper once more, under that one: the older one alone opens
 * none of a database dump from now on.
 *
 * @returns how many people's.
 */
export async function rehashRecoveryCodes({
  database,
  secrets,
}: {
  database: Database;
  secrets: Secrets;
}): Promise<number> {
  let changed = 0;
  let after = NIL_ID;
  for (;;) {
    const rows = await database.query(listRecoveryCodesNotUnder, [after, secrets.pepperId, PIECE]);
    const last = rows.at(-1);
    if (last === undefined) return changed;
    await database.run(
      updateRecoveryCodesRehashed,
      rows.map(({ id, recovery_hashes }) => ({
        id,
        before: JSON.stringify(recovery_hashes),
        hashes: JSON.stringify(recovery_hashes.map((hash) => rehash(secrets, RECOVERY_PURPOSE, hash))),
        pepper_id: secrets.pepperId,
      })),
    );
    changed += rows.length;
    after = last.id;
  }
}

/** For a pepper that is lost: the owners of such codes make new ones. */
export async function forgetRecoveryCodesUnder(queries: Queries, pepperId: string): Promise<void> {
  await queries.query(updateRecoveryCodesForgotten, [pepperId]);
}
