import { insertPepper, listPeppers } from './queries.ts';
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
      'for good is given up with `npm run admin -- forget-pepper`.',
  );
}
