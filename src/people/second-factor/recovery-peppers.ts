import type { Database, Queries } from '../../platform/db/database.ts';
import { hashOver, type PepperCount } from '../../platform/keyed-hash.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  countRecoveryCodesByPepper,
  listRecoveryCodesNotUnder,
  updateRecoveryCodesForgotten,
  updateRecoveryCodesHashedOver,
} from './queries.ts';
import { RECOVERY_PURPOSE } from './recovery-codes.ts';

/** People read and written at once. */
const PIECE = 500;

/** How many people's recovery codes need each pepper. */
export function countRecoveryPeppers(queries: Queries): Promise<PepperCount[]> {
  return queries.query(countRecoveryCodesByPepper);
}

/**
 * Lays the newest pepper over all recovery codes that are not under it: the older one alone opens none of a dump from now
 * on. @returns how many people's.
 */
export async function hashRecoveryCodesOver({
  database,
  secrets,
}: {
  database: Database;
  secrets: Secrets;
}): Promise<number> {
  let changed = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await database.query(listRecoveryCodesNotUnder, [after, secrets.pepperId, PIECE]);
    const last = rows.at(-1);
    if (last === undefined) return changed;
    await database.run(
      updateRecoveryCodesHashedOver,
      rows.map(({ id, recovery_hashes }) => ({
        id,
        before: JSON.stringify(recovery_hashes),
        hashes: JSON.stringify(recovery_hashes.map((hash) => hashOver(secrets, RECOVERY_PURPOSE, hash))),
        pepper_id: secrets.pepperId,
      })),
    );
    changed += rows.length;
    after = last.id;
  }
}

/** For a pepper that is lost: whoever has such codes makes new ones. */
export async function forgetRecoveryCodesUnder(queries: Queries, pepperId: string): Promise<void> {
  await queries.query(updateRecoveryCodesForgotten, [pepperId]);
}
