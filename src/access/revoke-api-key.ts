import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { keyNotFound } from './errors.ts';
import { updateKeyRevoked } from './queries.ts';

/**
 * The key and all tokens made from it stop working in every process within two seconds. Again changes nothing.
 * @throws AppError `KEY_NOT_FOUND`, also for a key of another mode than the given one.
 */
export async function revokeApiKey(
  deps: { queries: Queries; clock: Clock },
  input: { merchantId: string; keyId: string; mode?: Mode | undefined },
): Promise<void> {
  const { merchantId, keyId, mode = null } = input;
  const revoked = await deps.queries.query(updateKeyRevoked, [merchantId, keyId, deps.clock.now(), mode]);
  if (revoked.length === 0) throw keyNotFound();
}
