import { countAccessPeppers, forgetAccessUnder, rehashPins } from '../access/index.ts';
import { countSealPeppers } from '../audit/index.ts';
import { countRecoveryPeppers, forgetRecoveryCodesUnder, rehashRecoveryCodes } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';
import { OtherSecretsError, type Secrets } from '../platform/secrets.ts';
import { manyOf } from '../platform/text.ts';
import { deletePepper, insertPepper, listPeppers } from './queries.ts';

/** Links in mails live longest of what ends by itself: sessions and links end under the pepper that they began with. */
const LONGEST_LINK_MS = 7 * 24 * 60 * 60_000;

/** Rows that need a pepper. */
interface PepperUse {
  rows: number;
  /** Those that this pepper and the database open together, without any other. */
  alone: number;
}

export interface PepperState {
  id: string;
  /** New hashes are made under it. */
  isCurrent: boolean;
  /** It is in the settings, or in `secrets.json`. */
  isGiven: boolean;
  firstUsedAt: Date;
  pins: PepperUse;
  keys: PepperUse;
  recoveryCodes: PepperUse;
  /** Needed to prove them, by `verify` alone. */
  seals: PepperUse;
  /** Until then sessions and links of mails may be under it; null for the current one. */
  endsAt: Date | null;
}

export interface PepperDeps {
  queries: Queries;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Every pepper that this database has seen, oldest first, and behind them those that are given all the same, such as one that
 * was forgotten here and not yet in the file; with what needs each. Reads all that is under one.
 */
export async function readPeppers({ queries, secrets, clock }: PepperDeps): Promise<PepperState[]> {
  const noted = await queries.query(listPeppers);
  const others = secrets.pepperIds.filter((given) => !noted.some(({ id }) => id === given));
  const known = [...noted, ...others.map((id) => ({ id, first_used_at: clock.now() }))];
  const [{ pins, keys }, recoveryCodes, seals] = await Promise.all([
    countAccessPeppers(queries, clock.now()),
    countRecoveryPeppers(queries),
    countSealPeppers(queries),
  ]);
  return known.map(({ id, first_used_at: firstUsedAt }, at) => ({
    id,
    isCurrent: id === secrets.pepperId,
    isGiven: secrets.pepperIds.includes(id),
    firstUsedAt,
    pins: useOf(pins, id),
    keys: useOf(keys, id),
    recoveryCodes: useOf(recoveryCodes, id),
    seals: useOf(seals, id),
    endsAt: id === secrets.pepperId ? null : endOf(known[at + 1]?.first_used_at ?? firstUsedAt),
  }));
}

/** What nobody can give or prove any more without this pepper. Seals are not among it: only `verify` needs theirs. */
export function needOf({ pins, keys, recoveryCodes }: PepperState): string | undefined {
  const parts = [
    [pins.rows, 'PIN', 'PINs'],
    [keys.rows, 'API key', 'API keys'],
    [recoveryCodes.rows, "person's recovery codes", "people's recovery codes"],
  ] as const;
  const named = parts.filter(([rows]) => rows > 0).map(([rows, one, more]) => manyOf(rows, one, more));
  return named.length === 0 ? undefined : named.join(', ');
}

function useOf(counts: readonly PepperCount[], id: string): PepperUse {
  const found = counts.find(({ pepper_id }) => pepper_id === id);
  return { rows: found?.rows ?? 0, alone: found?.alone ?? 0 };
}

function endOf(replacedAt: Date): Date {
  return new Date(replacedAt.getTime() + LONGEST_LINK_MS);
}

/**
 * Before the first request: every pepper that a stored PIN, key or recovery code needs has to be given, or each right PIN
 * would look wrong. Notes the one for new hashes; in a database that knows none yet, those of before it, too.
 * @throws OtherSecretsError
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
  throw new OtherSecretsError(
    'PIN_PEPPER (or pinPepper of secrets.json) is another one than before, and what is stored still needs peppers that are not given:\n' +
      `${sentences.join('\n')}\n` +
      'Bring back the secrets.json of this database, or put them into PIN_PEPPER_PREVIOUS (`npm run admin -- list-peppers` ' +
      'shows which are given). A pepper that is lost ' +
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
 * @throws OtherSecretsError where an older one is not given: what it covers could not be checked any more.
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
