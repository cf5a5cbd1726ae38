import type { Secrets } from '../platform/secrets.ts';
import type { AuditRow } from './queries.ts';

/** Before the first seal of a chain there is none. */
export const NO_SEAL = '';

/**
 * A keyed hash over an entry, its place in its merchant's chain and the seal before it. Whoever has the database and not
 * the key can make no other entry that fits.
 */
export function sealOf(secrets: Pick<Secrets, 'hmac'>, before: string, sequence: bigint, entry: AuditRow): string {
  return secrets.hmac(
    'audit',
    JSON.stringify([
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
    ]),
  );
}
