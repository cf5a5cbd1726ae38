import { noteOf, reasonOf, requireOperator } from '../people/index.ts';
import { lineAlreadyResolved, lineNotFound } from '../reconciliation/index.ts';
import { requireProviderSettlement } from './apply-settlement.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import { postedLine, settlementNotReady } from './errors.ts';
import { findProviderLine, updateMissingDiscarded, updateProviderLineAccepted } from './line-queries.ts';
import { type ProviderSettlementStatus, updateProviderSettlementDecided } from './queries.ts';

/**
 * Notes what was found out about one line that is not posted. Nothing moves.
 * @throws AppError 400 `VALIDATION_FAILED` for a note that is missing; 403 `OPERATOR_NOT_FOUND`; 404
 *   `SETTLEMENT_NOT_FOUND`, `SETTLEMENT_LINE_NOT_FOUND`; 409 `SETTLEMENT_LINE_RESOLVED`,
 *   `SETTLEMENT_LINE_NOT_APPLICABLE`.
 */
export async function acceptProviderLine(
  deps: Pick<ProviderSettlementDeps, 'database' | 'clock'>,
  given: { settlementId: string; lineId: string; note: string; personId: string },
): Promise<void> {
  const { settlementId, lineId, personId } = given;
  const { database, clock } = deps;
  const note = noteOf(given.note);
  await requireOperator(database, personId);
  await requireProviderSettlement(deps, settlementId);
  const [line] = await database.query(findProviderLine, [settlementId, lineId]);
  if (line === undefined || line.result === null) throw lineNotFound();
  if (line.result === 'MATCHED' || line.result === 'FEE_DIFFERS') throw postedLine();
  const accepted = await database.query(updateProviderLineAccepted, [
    settlementId,
    lineId,
    note,
    personId,
    clock.now(),
  ]);
  if (accepted.length === 0) throw lineAlreadyResolved();
}

/** One that was cut short while it was read or compared, too. */
const NOT_APPLIED: readonly ProviderSettlementStatus[] = ['LOADING', 'MATCHING', 'READY'];

/**
 * A file that was imported by mistake, or is wrong: it is kept, nothing of it is ever posted, and the settlement may be
 * imported anew. One person does it, who imported it or not.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `SETTLEMENT_NOT_FOUND`; 409 `SETTLEMENT_NOT_READY`.
 */
export async function discardProviderSettlement(
  deps: Pick<ProviderSettlementDeps, 'database' | 'clock'>,
  given: { settlementId: string; reason: string; personId: string },
): Promise<void> {
  const { settlementId, personId } = given;
  const reason = reasonOf(given.reason);
  await requireOperator(deps.database, personId);
  const { status } = await requireProviderSettlement(deps, settlementId);
  if (!NOT_APPLIED.includes(status)) throw settlementNotReady(status);
  const now = deps.clock.now();
  await deps.database.transaction(async (tx) => {
    const discarded = [settlementId, 'DISCARDED', personId, reason, now];
    const decided = await tx.query(updateProviderSettlementDecided, [...discarded, [...NOT_APPLIED]]);
    if (decided.length === 0) throw settlementNotReady('applied or discarded');
    await tx.query(updateMissingDiscarded, [settlementId, 'its settlement was discarded', personId, now]);
  });
}
