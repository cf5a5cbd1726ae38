import { findInboundPayment } from '../collections/index.ts';
import { noteOf, requireOperator } from '../people/index.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { type DisputeEnd, shortReason } from './end-dispute.ts';
import { disputeNotContradicted, disputeNotFound } from './errors.ts';
import { type DisputeEvidenceRow, findLastEvidence } from './evidence-queries.ts';
import { type Confirmed, evidenceWrite } from './open-dispute.ts';
import { CONTRADICTIONS, type DisputeRow, type DisputeStatus, findDispute, type OperatorReason } from './queries.ts';

const isContradicted = ({ operator_reason: why }: DisputeRow): boolean =>
  why !== null && (CONTRADICTIONS as readonly OperatorReason[]).includes(why);

/** What a provider says of a dispute that has ended means one of three things. */
const SAYS: Partial<Record<string, 'WON' | 'LOST' | 'RUNS'>> = {
  won: 'WON',
  lost: 'LOST',
  accepted: 'LOST',
  open: 'RUNS',
  evidence_sent: 'RUNS',
};

/** Null where the provider says the end that the dispute has. */
function contradictionOf(status: DisputeStatus, end: DisputeEnd | undefined): OperatorReason | null {
  if (end === undefined) return 'REOPENED';
  if ((status === 'WON') === (end === 'WON')) return null;
  return end === 'WON' ? 'WON_AFTER_END' : 'LOST_AFTER_END';
}

/**
 * What a provider says of a dispute that has ended. Another end than it said before, or that it runs again: no money moves by
 * itself, and people of the operator find out what it means. The same again: nobody has to look any more; of another amount, an
 * alarm says so, once.
 * @param end undefined: it runs again
 * @returns whether anything changed
 */
export async function contradictEnd(
  deps: DisputeDeps,
  known: DisputeRow,
  end: DisputeEnd | undefined,
  confirmed: Confirmed,
): Promise<boolean> {
  let why = null as OperatorReason | null;
  let isOtherAmount = false;
  const isNew = await commitForDispute(deps.ledger.commit, async () => {
    const key = [known.merchant_id, known.mode];
    const [[row], [last], [payment]] = await Promise.all([
      deps.database.query(findDispute, [...key, known.id]),
      deps.database.query(findLastEvidence, [...key, known.id]),
      deps.database.query(findInboundPayment, [...key, known.payment_id]),
    ]);
    if (row === undefined || payment === undefined) return undefined;
    why = contradictionOf(row.status, end);
    const isSaidAgain = last !== undefined && SAYS[last.state] === SAYS[confirmed.dispute.state];
    isOtherAmount = why === null && saysOtherAmount(row, last, confirmed);
    const isKnown = isContradicted(row) ? row.operator_reason === why : isSettled(row, { why, isSaidAgain });
    if (isKnown && !isOtherAmount) return undefined;
    const at = deps.clock.now();
    const agreed = row.status === 'WON' ? null : shortReason(row, payment.amount_minor);
    const { parts } = changeOf(row, { operator_reason: why ?? agreed }, at);
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
  if (isNew && isOtherAmount) {
    deps.logger.error(
      { rail: known.rail, disputeId: known.id, end },
      'a provider says another amount of a dispute that has ended',
    );
    deps.onAlarm?.({ alarm: 'DISPUTE_AMOUNT_CHANGED', mode: known.mode, rail: known.rail });
  }
  return isNew;
}

/** Of one that took money: its provider says the same end, of another amount than it said last. */
function saysOtherAmount(
  { status }: DisputeRow,
  last: Pick<DisputeEvidenceRow, 'reported'> | undefined,
  { dispute }: Confirmed,
): boolean {
  if (status === 'WON' || last === undefined) return false;
  const { amountMinor } = JSON.parse(last.reported) as { amountMinor: string };
  return BigInt(amountMinor) !== dispute.amountMinor;
}

/**
 * Whether nobody has to look at a dispute: its provider reports what it reported before. Once people have looked into a
 * contradiction, the same report counts as settled every time; until then any contradiction counts.
 */
function isSettled(
  { looked_at }: DisputeRow,
  { why, isSaidAgain }: { why: OperatorReason | null; isSaidAgain: boolean },
): boolean {
  return why === null ? isSaidAgain || looked_at === null : isSaidAgain && looked_at !== null;
}

/**
 * Notes the result of looking into a dispute whose end its provider contradicts. No money moves; nobody has to look at
 * it any more, unless the provider changes its report again.
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
