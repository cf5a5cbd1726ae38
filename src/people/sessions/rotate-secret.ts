import type { SignedIn } from '../../access/index.ts';
import type { Queries } from '../../platform/db/database.ts';
import type { PeopleDeps } from '../deps.ts';
import { updateSessionSecret } from './queries.ts';
import { hashesOfSecret, hashOfSecret, makeSecret, PREVIOUS_MS } from './session-secret.ts';

/**
 * A new secret for a session: whoever copied the old one has nothing by it. Undefined where another request of the same
 * browser was first; its answer carries the new one.
 */
export async function rotateSecret(
  { database, secrets, clock, sessions }: PeopleDeps,
  input: { session: SignedIn; secret: string; freshUntil: Date | null },
  queries: Queries = database,
): Promise<string | undefined> {
  const made = makeSecret();
  const previousUntil = new Date(clock.now().getTime() + PREVIOUS_MS);
  const hashes = [hashesOfSecret(secrets, input.secret), hashOfSecret(secrets, made)];
  const { sessionId, personId } = input.session;
  const changed = await queries.query(updateSessionSecret, [sessionId, ...hashes, previousUntil, input.freshUntil]);
  sessions.forget(personId);
  return changed.length > 0 ? made : undefined;
}
