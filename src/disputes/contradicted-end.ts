import { noteOf, requireOperator } from '../people/index.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { type DisputeEnd, shortReason } from './end-dispute.ts';
import { disputeNotContradicted, disputeNotFound } from './errors.ts';
import { findLastEvidence } from './evidence-queries.ts';
import { type Confirmed, evidenceWrite } from './open-dispute.ts';
import { CONTRADICTIONS, type DisputeRow, findDispute, type OperatorReason } from './queries.ts';

const isContradicted = ({ operator_reason: why }: DisputeRow): boolean =>
  why !== null && (CONTRADICTIONS as readonly OperatorReason[]).includes(why);

/**
 * What a provider says of a dispute that has ended. Another end than it said before: no money moves by itself, and people of the
 * operator find out what it means. The same again: nobody has to look any more.
 * @returns whether anything changed
 */
export async function contradictEnd(
  deps: DisputeDeps,
  known: DisputeRow,
  end: DisputeEnd,
  confirmed: Confirmed,
): Promise<boolean> {
  const agrees = (known.status !== 'WON') === (end !== 'WON');
  const why: OperatorReason | null = agrees ? null : end === 'WON' ? 'WON_AFTER_END' : 'LOST_AFTER_END';
  const isNew = await commitForDispute(deps.ledger.commit, async () => {
    const key = [known.merchant_id, known.mode, known.id];
    const [row] = await deps.database.query(findDispute, key);
    if (row === undefined || row.operator_reason === why || (agrees && !isContradicted(row))) return undefined;
    // What was looked into is so once for all times that the provider says it.
    const [last] = why !== null && row.looked_at !== null ? await deps.database.query(findLastEvidence, key) : [];
    if (last !== undefined && (last.state === 'won') === (end === 'WON')) return undefined;
    const at = deps.clock.now();
    const { parts } = changeOf(row, { operator_reason: why ?? (row.status === 'WON' ? null : shortReason(row)) }, at);
    return {
      tenant: tenantOf(row),
      id: newId(),
      occurredAt: at.toISOString(),
      ...parts,
      writes: [...parts.writes, evidenceWrite(row, confirmed)],
      answer: { message: why === null ? 'The provider agrees again' : 'People of the operator decide' },
    };
  });
  if (isNew && why !== null) {
    deps.logger.error({ rail: known.rail, disputeId: known.id, end }, 'a provider says another end of a dispute');
    deps.onAlarm?.({ alarm: `DISPUTE_${why}`, mode: known.mode, rail: known.rail });
  }
  return isNew;
}

/**
 * Notes what was found out about a dispute whose end its provider contradicts. No money moves; nobody has to look at it any more,
 * unless the provider changes its word once more.
 * @throws AppError 400 for a note that says too little; 403 `OPERATOR_NOT_FOUND`; 404 `DISPUTE_NOT_FOUND`; 409
 *   `DISPUTE_NOT_CONTRADICTED`; 503 of the ledger.
 */
export async function noteLookedInto(
  deps: Pick<DisputeDeps, 'database' | 'ledger' | 'clock'>,
  given: { tenant: Tenant; disputeId: string; note: string; personId: string },
): Promise<void> {
  const { tenant, disputeId, personId } = given;
  const note = noteOf(given.note);
  await requireOperator(deps.database, personId);
  await commitForDispute(deps.ledger.commit, async () => {
    const [row] = await deps.database.query(findDispute, [tenant.merchantId, tenant.mode, disputeId]);
    if (row === undefined) throw disputeNotFound();
    if (!isContradicted(row)) throw disputeNotContradicted();
    const at = deps.clock.now();
    const looked = { operator_reason: null, looked_note: note, looked_by: personId, looked_at: at };
    return {
      tenant,
      id: newId(),
      occurredAt: at.toISOString(),
      ...changeOf(row, looked, at).parts,
      answer: { message: 'It is noted' },
    };
  });
}
