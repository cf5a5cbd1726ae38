import { countAccessPeppers } from '../access/index.ts';
import { countSealPeppers } from '../audit/index.ts';
import { countRecoveryPeppers } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';
import type { Secrets } from '../platform/secrets.ts';
import { listPeppers } from './queries.ts';

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

/** Every pepper that this database has seen, oldest first, and what needs it. Reads all that is under one. */
export async function readPeppers({ queries, secrets, clock }: PepperDeps): Promise<PepperState[]> {
  const known = await queries.query(listPeppers);
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
  const named = parts.filter(([rows]) => rows > 0).map(([rows, one, more]) => `${rows} ${rows === 1 ? one : more}`);
  return named.length === 0 ? undefined : named.join(', ');
}

function useOf(counts: readonly PepperCount[], id: string): PepperUse {
  const found = counts.find(({ pepper_id }) => pepper_id === id);
  return { rows: found?.rows ?? 0, alone: found?.alone ?? 0 };
}

function endOf(replacedAt: Date): Date {
  return new Date(replacedAt.getTime() + LONGEST_LINK_MS);
}
