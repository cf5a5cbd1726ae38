import type { Database, Queries } from '../platform/db/database.ts';
import { type PepperCount, rehash } from '../platform/keyed-hash.ts';
import type { Secrets } from '../platform/secrets.ts';
import { PIN_PURPOSE } from './pin-hash.ts';
import {
  countKeysByPepper,
  countPinsByPepper,
  deletePinsUnder,
  listPinsNotUnder,
  updateKeysRevokedUnder,
  updatePinsRehashed,
} from './queries.ts';

/** Rows read and written at once. */
const PIECE = 500;

/** How many PINs and API keys in force need each pepper. */
export async function countAccessPeppers(
  queries: Queries,
  now: Date,
): Promise<{ pins: PepperCount[]; keys: PepperCount[] }> {
  const [pins, keys] = await Promise.all([queries.query(countPinsByPepper), queries.query(countKeysByPepper, [now])]);
  return { pins, keys };
}

/**
 * Lays the newest pepper over every stored PIN that is not under it, and removes what the release before kept of them: the
 * older pepper alone opens no PIN of a dump from now on. A PIN that is given meanwhile is stored as it should be anyway.
 * @returns how many were hashed over.
 */
export async function rehashPins({ database, secrets }: { database: Database; secrets: Secrets }): Promise<number> {
  let changed = 0;
  let after = { merchant_id: '00000000-0000-0000-0000-000000000000', mode: '' };
  for (;;) {
    const rows = await database.query(listPinsNotUnder, [after.merchant_id, after.mode, secrets.pepperId, PIECE]);
    const last = rows.at(-1);
    if (last === undefined) break;
    await database.run(
      updatePinsRehashed,
      rows.map(({ merchant_id, mode, hash }) => ({
        merchant_id,
        mode,
        before: hash,
        hash: rehash(secrets, PIN_PURPOSE, hash),
        pepper_id: secrets.pepperId,
      })),
    );
    changed += rows.length;
    after = last;
  }
  return changed;
}

/** For a pepper that is lost: PINs that need it are set anew, and keys that do are revoked. */
export async function forgetAccessUnder(queries: Queries, pepperId: string, now: Date): Promise<void> {
  await queries.query(deletePinsUnder, [pepperId]);
  await queries.query(updateKeysRevokedUnder, [pepperId, now]);
}
