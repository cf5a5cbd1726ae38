import { forgetAccessUnder, rehashPins } from '../access/index.ts';
import { forgetRecoveryCodesUnder, rehashRecoveryCodes } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { deletePepper, insertPepper, listPeppers } from './queries.ts';
import { needOf, type PepperDeps, readPeppers } from './read-peppers.ts';

/** A pepper is missing that something stored needs; the message says which, and what to do. */
export class PepperMissingError extends Error {}

/**
 * Before the first request: every pepper that a stored PIN, key or recovery code needs has to be given, or each right PIN
 * would look wrong. Notes the one for new hashes; in a database that knows none yet, those of before it, too.
 * @throws PepperMissingError
 */
export async function requirePeppers(deps: PepperDeps): Promise<void> {
  const { queries, secrets, clock } = deps;
  const known = await queries.query(listPeppers);
  const isMissing = known.some(({ id }) => !secrets.pepperIds.includes(id));
  if (isMissing) await refuseIfNeeded(deps);
  const oldestFirst = secrets.pepperIds.toReversed();
  const seen = known.length === 0 ? oldestFirst : [secrets.pepperId];
  const now = clock.now().getTime();
  for (const [at, id] of seen.entries()) await queries.query(insertPepper, [id, new Date(now + at)]);
}

async function refuseIfNeeded(deps: PepperDeps): Promise<void> {
  const sentences = (await readPeppers(deps))
    .filter(({ isGiven }) => !isGiven)
    .flatMap((pepper) => {
      const need = needOf(pepper);
      return need === undefined ? [] : [`  ${pepper.id}: ${need}`];
    });
  if (sentences.length === 0) return;
  throw new PepperMissingError(
    'PIN_PEPPER is another one than before, and what is stored still needs peppers that are not given:\n' +
      `${sentences.join('\n')}\n` +
      'Put them into PIN_PEPPER_PREVIOUS (`npm run admin -- list-peppers` shows which are given). A pepper that is lost ' +
      'for good is abandoned with `npm run admin -- forget-pepper`.',
  );
}

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
export async function rehashAll(deps: RotateDeps): Promise<{ pins: number; recoveryCodes: number }> {
  await requirePeppers({ ...deps, queries: deps.database });
  return { pins: await rehashPins(deps), recoveryCodes: await rehashRecoveryCodes(deps) };
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
