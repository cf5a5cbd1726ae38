import { forgetAccessUnder, hashPinsOver } from '../access/index.ts';
import { forgetRecoveryCodesUnder, hashRecoveryCodesOver } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { deletePepper } from './queries.ts';
import { requirePeppers } from './require-peppers.ts';

interface RotateDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Lays the pepper for new hashes over everything short that is stored under older ones, so that none of them alone opens a
 * dump. Nothing has to be given anew: keys, sessions and links, which nobody guesses, are found under any pepper given.
 * @throws PepperMissingError where an older one is not given: what it covers could not be checked any more.
 */
export async function hashEverythingOver(deps: RotateDeps): Promise<{ pins: number; recoveryCodes: number }> {
  await requirePeppers({ ...deps, queries: deps.database });
  return { pins: await hashPinsOver(deps), recoveryCodes: await hashRecoveryCodesOver(deps) };
}

/**
 * Gives a pepper up that is lost, or needed no more: what still needs it is worth nothing from now on. PINs are set anew,
 * keys and recovery codes made anew; nobody else is touched.
 */
export async function forgetPepper({ database, clock }: RotateDeps, pepperId: string): Promise<void> {
  await forgetAccessUnder(database, pepperId, clock.now());
  await forgetRecoveryCodesUnder(database, pepperId);
  await database.query(deletePepper, [pepperId]);
}
