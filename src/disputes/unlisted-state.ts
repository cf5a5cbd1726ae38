import { newId } from '../platform/ids.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { UnlistedDispute } from '../rails/index.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import type { DirectoryRow } from './directory-queries.ts';
import { findLastEvidence } from './evidence-queries.ts';
import { type Confirmed, evidenceWrite } from './open-dispute.ts';
import { findDispute, isEnded } from './queries.ts';
import { nextCheckAt } from './times.ts';

/**
 * A provider reports a state of an open dispute that is not listed: no money moves, its words are kept, and the
 * operator's people have to look. Two of them may end it, until the provider reports a known state.
 * @returns whether it reported this for the first time
 */
export async function noteUnlisted(
  deps: DisputeDeps,
  { merchant_id, mode, dispute_id }: DirectoryRow,
  said: Omit<Confirmed, 'dispute'> & { dispute: UnlistedDispute },
): Promise<boolean> {
  const isNew = await commitForDispute(deps.ledger.commit, async () => {
    const key = [merchant_id, mode, dispute_id];
    const [row] = await deps.database.query(findDispute, key);
    if (row === undefined || isEnded(row.status)) return undefined;
    const [last] = await deps.database.query(findLastEvidence, key);
    if (row.operator_reason === 'STATE_NOT_LISTED' && last !== undefined && saidIn(last) === said.dispute.said) {
      return undefined;
    }
    const at = deps.clock.now();
    const checks = row.checks + 1;
    const asked = { checks, check_at: nextCheckAt({ ...row, checks }, at) };
    const { parts } = changeOf(row, { operator_reason: 'STATE_NOT_LISTED', ...asked }, at);
    return {
      tenant: tenantOf(row),
      id: newId(),
      occurredAt: at.toISOString(),
      ...parts,
      writes: [...parts.writes, evidenceWrite(row, said)],
      answer: { message: 'People of the operator decide' },
    };
  });
  if (isNew) {
    deps.logger.error({ rail: said.rail, disputeId: dispute_id }, 'a provider says of a dispute what is not listed');
    deps.onAlarm?.({ alarm: 'DISPUTE_STATE_NOT_LISTED', mode, rail: said.rail });
  }
  return isNew;
}

/** The words of a provider that were not understood; null where they were. */
export function saidIn({ state, reported }: { state: string; reported: string }): string | null {
  return state === 'unlisted' ? (JSON.parse(reported) as UnlistedDispute).said : null;
}
