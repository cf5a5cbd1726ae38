import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { type ApiKeySummary, keySummary } from './list-api-keys.ts';
import { listApiKeysOfMaker, updateKeysRevoked } from './queries.ts';
import { type Role, scopesOfRole } from './roles.ts';
import { grantedScopes } from './scopes.ts';

interface MakerOfKeys {
  merchantId: string;
  personId: string;
}

/** The keys in force that somebody made, of both modes, newest first. */
export async function listKeysOfMaker(
  { queries, clock }: { queries: Queries; clock: Clock },
  { merchantId, personId }: MakerOfKeys,
): Promise<ApiKeySummary[]> {
  const now = clock.now();
  const rows = await queries.query(listApiKeysOfMaker, [merchantId, personId, now]);
  return rows.map((row) => keySummary(row, now));
}

/**
 * Ends the keys in force that somebody made and that may do more than their role from now on: all of them where they leave
 * (null). In the transaction that takes the person's rights, whose row it has locked: who makes a key waits for that.
 * @returns those that ended.
 */
export async function revokeKeysOfMaker(
  deps: { queries: Queries; clock: Clock },
  { role, ...maker }: MakerOfKeys & { role: Role | null },
): Promise<ApiKeySummary[]> {
  const keys = (await listKeysOfMaker(deps, maker)).filter((key) => role === null || isBeyond(key, role));
  const ids = keys.map(({ id }) => id);
  await deps.queries.query(updateKeysRevoked, [maker.merchantId, ids, deps.clock.now()]);
  return keys;
}

export function isBeyond({ kind, scopes, mode }: Pick<ApiKeySummary, 'kind' | 'scopes' | 'mode'>, role: Role): boolean {
  const may = scopesOfRole(role, mode);
  return [...grantedScopes(kind, scopes)].some((scope) => !may.has(scope));
}
