import { noteOf, reasonOf, requireApart, requireOperator } from '../people/index.ts';
import { importNotFound, lineAlreadyResolved, lineNotFound, secondPersonForFile } from '../reconciliation/index.ts';
import { isPosted } from './classify-line.ts';
import { compareDeductions } from './compare-deductions.ts';
import { compareLines, resolveMissing } from './compare-lines.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import { fetchedSumDiffers, postedLine, settlementNotReady, settlementSumDiffers } from './errors.ts';
import { SYSTEM } from './fetch-settlements.ts';
import {
  findProviderLine,
  listMissingSettledBy,
  updateMissingDiscarded,
  updateProviderLineAccepted,
} from './line-queries.ts';
import {
  findProviderSettlement,
  findProviderSettlementSum,
  listLinesToPost,
  listPaymentsToSettle,
  type ProviderSettlementRow,
  type ProviderSettlementStatus,
  updateProviderSettlementDecided,
  updateProviderSettlementStatus,
} from './queries.ts';
import { postEach, settleDeductions } from './settle-deduction.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * Lines posted at once: the ledger commits them together, and a payment made meanwhile waits no longer than for these.
 */
const PIECE = 200;

export interface ApplySettlement {
  settlementId: string;
  /** One of the operator's people. */
  personId: string;
  /** Why it is applied although its lines do not add up to the lump sum; null where they do. */
  note: string | null;
  /** At most so many lines; the next call goes on behind them. */
  limit: number;
}

/**
 * Posts the lines that agree, each once for ever, however often this is called and whichever process was killed. Only a
 * person other than the one who imported the file may apply it, and where its lines do not come to the lump sum, only
 * with a note that says why. Payments that reached our books since the import are looked for once more. What a provider
 * listed or reported itself is applied by one person, and only where its lines come to the lump sum.
 * @returns how many lines this call posted, and whether there are more.
 * @throws AppError 400 `VALIDATION_FAILED`; 403 `OPERATOR_NOT_FOUND`, `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`;
 *   404 `SETTLEMENT_NOT_FOUND`; 409 `SETTLEMENT_NOT_READY`, `SETTLEMENT_SUM_DIFFERS`, `SETTLEMENT_FETCHED_DIFFERS`; 503
 *   of the ledger.
 */
export async function applyProviderSettlement(
  deps: ProviderSettlementDeps,
  { settlementId, personId, note, limit }: ApplySettlement,
): Promise<{ posted: number; isDone: boolean }> {
  const { database, clock } = deps;
  const { email } = await requireOperator(database, personId);
  const found = await requireProviderSettlement(deps, settlementId);
  // A file may be wrong or forged by the person who brought it, so two people are needed. Nobody here wrote what a
  // provider listed.
  if (found.imported_by === email) throw secondPersonForFile();
  await requireApart({ queries: database, clock }, { decider: personId, maker: found.imported_by });
  const settlement = await begin(deps, found, { personId, note });
  return postLines(deps, settlement, { personId, limit });
}

/**
 * Posts lines that agree and are not posted yet, payments first; the settlement is done where nothing is left.
 * Deductions do not wait for a payment that cannot be posted.
 * @throws the first error of a line that cannot be posted, once all others had their turn.
 */
export async function postLines(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  { personId, limit }: Pick<ApplySettlement, 'personId' | 'limit'>,
): Promise<{ posted: number; isDone: boolean }> {
  const { database, clock } = deps;
  const failed: unknown[] = [];
  const payments = await postSome(deps, settlement, { limit, failed });
  const left = limit - payments.posted;
  const deductions =
    payments.isDone && left > 0
      ? await settleDeductions(deps, settlement, { limit: left, failed })
      : { posted: 0, isDone: false };
  if (failed.length > 0) throw failed[0] as Error;
  const { isDone } = deductions;
  const posted = payments.posted + deductions.posted;
  if (!isDone) return { posted, isDone };
  const settled = `in the settlement ${settlement.reference}`;
  const found = await database.query(listMissingSettledBy, [settlement.id, settlement.mode]);
  await resolveMissing(deps, found, { note: settled, by: personId });
  await database.query(updateProviderSettlementStatus, [settlement.id, 'APPLYING', 'DONE', clock.now()]);
  return { posted, isDone };
}

/** @throws AppError 404 `SETTLEMENT_NOT_FOUND`. */
export async function requireProviderSettlement(
  { database }: Pick<ProviderSettlementDeps, 'database'>,
  settlementId: string,
): Promise<ProviderSettlementRow> {
  const [found] = await database.query(findProviderSettlement, [settlementId]);
  if (found === undefined) throw importNotFound();
  return found;
}

async function begin(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  { personId, note }: Pick<ApplySettlement, 'personId' | 'note'>,
): Promise<ProviderSettlementRow> {
  const { database, clock } = deps;
  if (settlement.status === 'APPLYING') return settlement;
  if (settlement.status !== 'READY' && settlement.status !== 'DONE') throw settlementNotReady(settlement.status);
  if (settlement.status === 'DONE') {
    await compareAgain(deps, settlement);
  } else {
    await compareLines(deps, settlement, 'MISSING_HERE');
    await compareDeductions(deps, settlement);
    const why = await reasonToApply(deps, settlement, note);
    const decided = [settlement.id, 'APPLYING', personId, why, clock.now()];
    await database.query(updateProviderSettlementDecided, [...decided, ['READY']]);
  }
  const now = await requireProviderSettlement(deps, settlement.id);
  if (now.status !== 'APPLYING' && now.status !== 'DONE') throw settlementNotReady(now.status);
  return now;
}

/**
 * Compares a settlement that was applied once more. It notes that first: a process that dies in the middle leaves no
 * line that agrees and is never posted.
 */
export async function compareAgain(deps: ProviderSettlementDeps, settlement: ProviderSettlementRow): Promise<void> {
  const { database, clock } = deps;
  await database.query(updateProviderSettlementStatus, [settlement.id, 'DONE', 'APPLYING', clock.now()]);
  await compareLines(deps, settlement, 'MISSING_HERE');
  await compareDeductions(deps, settlement);
}

/** A note is kept only where one is needed. */
async function reasonToApply(
  { database }: ProviderSettlementDeps,
  { id, lump_minor: lumpMinor, imported_by: importedBy }: ProviderSettlementRow,
  note: string | null,
): Promise<string | null> {
  const [sum] = await database.query(findProviderSettlementSum, [id]);
  const netMinor = sum?.net_minor ?? 0n;
  if (netMinor === lumpMinor) return null;
  if (importedBy === SYSTEM) throw fetchedSumDiffers(netMinor, lumpMinor);
  if (note === null) throw settlementSumDiffers(netMinor, lumpMinor);
  return noteOf(note);
}

/** @param failed the errors of payments that were not posted: those after them have their turn. */
async function postSome(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  { limit, failed }: { limit: number; failed: unknown[] },
): Promise<{ posted: number; isDone: boolean }> {
  let posted = 0;
  let after = 0;
  for (let seen = 0; seen < limit; ) {
    const lines = await deps.database.query(listLinesToPost, [settlement.id, after, Math.min(PIECE, limit - seen)]);
    const last = lines.at(-1);
    if (last === undefined) break;
    const merchants = lines.map(({ merchant_id }) => merchant_id);
    const ids = lines.map(({ payment_id }) => payment_id);
    const rows = await deps.database.query(listPaymentsToSettle, [merchants, settlement.mode, ids]);
    const payments = new Map(rows.map((row) => [row.id, row]));
    posted += await postEach(lines, failed, (line) =>
      settlePayment(deps, settlement, line, payments.get(line.payment_id)),
    );
    seen += lines.length;
    after = last.line_number;
  }
  const [more] = await deps.database.query(listLinesToPost, [settlement.id, after, 1]);
  return { posted, isDone: more === undefined };
}

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
  if (isPosted(line.result)) throw postedLine();
  const accepted = await database.query(updateProviderLineAccepted, [
    settlementId,
    lineId,
    note,
    personId,
    clock.now(),
  ]);
  if (accepted.length === 0) throw lineAlreadyResolved();
}

/** Also settlements that were cut short while they were read or compared. */
const NOT_APPLIED: readonly ProviderSettlementStatus[] = ['LOADING', 'MATCHING', 'READY'];

/**
 * Discards a file that was imported by mistake, or is wrong: it is kept, nothing of it is ever posted, and the
 * settlement may be imported again. One person may do so, also the one who imported it.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `SETTLEMENT_NOT_FOUND`; 409
 *   `SETTLEMENT_NOT_READY`.
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
