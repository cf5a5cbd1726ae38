import type { Queries } from '../platform/db/database.ts';
import type { PepperCount } from '../platform/keyed-hash.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type AuditRow, countSealsByPepper } from './queries.ts';

/** Before the first seal of a chain there is none. */
export const NO_SEAL = '';

/** Keeps seals apart from everything else that is hashed under the pepper. */
export const SEAL_PURPOSE = 'audit';

/** What a seal is a keyed hash over: an entry, its place in its merchant's chain and the seal before it. */
export function sealedText(before: string, sequence: bigint, entry: AuditRow): string {
  return JSON.stringify([
    before,
    String(sequence),
    entry.merchant_id,
    entry.id,
    entry.mode,
    entry.at.toISOString(),
    entry.action,
    entry.summary,
    entry.outcome,
    entry.code,
    entry.subject,
    entry.actor_kind,
    entry.actor_id,
    entry.actor_name,
    entry.actor_role,
    entry.session_id,
    entry.ip,
    entry.user_agent,
    entry.request_id,
    // What was recorded before there were categories has the seal that it was given.
    ...(entry.category === null ? [] : [entry.category]),
  ]);
}

/**
 * Whoever has the database and not the pepper can make no other entry that fits. An old seal is compared under the pepper
 * that it was made with; null says nothing of which, in seals of earlier releases.
 * @returns undefined where that pepper is not given.
 */
export function isSeal(
  secrets: Pick<Secrets, 'hmacs' | 'hmacUnder'>,
  { seal, pepper_id }: { seal: string; pepper_id: string | null },
  text: string,
): boolean | undefined {
  if (pepper_id === null) return secrets.hmacs(SEAL_PURPOSE, text).includes(seal);
  const expected = secrets.hmacUnder(pepper_id, SEAL_PURPOSE, text);
  return expected === undefined ? undefined : expected === seal;
}

/** How many seals are under each pepper. */
export function countSealPeppers(queries: Queries): Promise<PepperCount[]> {
  return queries.query(countSealsByPepper);
}
