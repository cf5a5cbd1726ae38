import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { keyNotFound } from './errors.ts';
import { updateKeyRevoked } from './queries.ts';

/**
 * The key and all tokens made from it stop working in every process within two seconds. Again changes nothing.
 * @throws AppError `KEY_NOT_FOUND`.
 */
export async function revokeApiKey(
  deps: { queries: Queries; clock: Clock },
  input: { merchantId: string; keyId: string },
): Promise<void> {
  const revoked = await deps.queries.query(updateKeyRevoked, [input.merchantId, input.keyId, deps.clock.now()]);
  if (revoked.length === 0) throw keyNotFound();
}
