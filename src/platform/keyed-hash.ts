import { unavailable } from './errors.ts';
import type { Secrets } from './secrets.ts';

/**
 * A short secret, such as a PIN, as the database keeps it: hashed under each of these peppers in their order, each over
 * the result before. A new pepper is added over the stored hash without knowing the secret, and the old one alone opens
 * nothing.
 */
export interface KeyedHash {
  readonly hash: string;
  /** Null: under the first pepper of this database, before it was noted which. */
  readonly pepper_ids: readonly string[] | null;
}

/** How much is stored under a pepper. */
export interface PepperCount {
  pepper_id: string;
  rows: number;
  /** Those that this pepper alone opens. */
  alone: number;
}

type Peppers = Pick<Secrets, 'pepperId' | 'hmacUnder'>;

/**
 * The hash of `text`, made as `stored` was.
 * @param slow the slow hash below the first pepper, where there was one.
 * @throws AppError 503 `SERVICE_UNAVAILABLE` where a pepper that it needs is missing: that is nobody's wrong guess.
 */
export async function hashAsStored(
  secrets: Peppers,
  stored: Pick<KeyedHash, 'pepper_ids'>,
  { purpose, text, slow }: { purpose: string; text: string; slow?: (hash: string) => Promise<string> },
): Promise<string> {
  const [first = secrets.pepperId, ...later] = stored.pepper_ids ?? [];
  const inner = under(secrets, first, purpose, text);
  const hash = slow === undefined ? inner : await slow(inner);
  return later.reduce((before, pepperId) => under(secrets, pepperId, over(purpose), before), hash);
}

/** One more hash over a stored one, under the pepper for new hashes. */
export function rehash(secrets: Peppers, purpose: string, hash: string): string {
  return under(secrets, secrets.pepperId, over(purpose), hash);
}

function over(purpose: string): string {
  return `${purpose}/over`;
}

function under(secrets: Peppers, pepperId: string, purpose: string, text: string): string {
  const hash = secrets.hmacUnder(pepperId, purpose, text);
  if (hash === undefined) {
    const missing = new Error(`a stored hash needs the pepper ${pepperId}, which is not in PIN_PEPPER_PREVIOUS`);
    throw unavailable('This cannot be checked at the moment. Please try again later.', missing);
  }
  return hash;
}
