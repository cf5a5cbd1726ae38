import { applyOutcome } from '../payout-delivery/index.ts';
import { findPayout, type PayoutRecord } from '../payouts/index.ts';
import { requireApart, requireOperator } from '../people/index.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { isOurReference, type RailAnswer, type RailOutcome, type ReportedFacts } from '../rails/index.ts';
import { isOpen, type LineKind, type LineResult } from './classify-line.ts';
import type { ReconciliationDeps } from './deps.ts';
import { importNotFound, lineAlreadyResolved, lineNotApplicable, lineNotFound, secondPersonForFile } from './errors.ts';
import { findImport } from './import-queries.ts';
import { findLine, type ImportRow, type LineRow, updateLineResolved, updateLineSettles } from './queries.ts';
import { readLines } from './read-desk.ts';
import { settlePayouts } from './settle-payouts.ts';

const OUTCOMES: Record<LineKind, { outcome: RailOutcome; reason: string | null }> = {
  PAID: { outcome: 'succeeded', reason: null },
  FAILED: { outcome: 'failed', reason: 'SETTLEMENT_SAYS_FAILED' },
  REVERSED: { outcome: 'reversed', reason: 'RAIL_REVERSED' },
  UNCLEAR: { outcome: 'unknown', reason: 'SETTLEMENT_SAYS_NOTHING' },
};

/** Where the line is, for the evidence of a payout. */
export function noteOf(settlement: ImportRow, line: LineRow): string {
  return `Line ${line.line_number} of ${settlement.file_name} says ${line.status_text || line.kind}`;
}

/** The facts that a line reports. A reference that is not ours is the rail's own, and is left out. */
export function reportedByLine(
  line: Pick<LineRow, 'reference' | 'amount_minor' | 'currency' | 'account_number' | 'bank_code'>,
): ReportedFacts {
  const { reference, amount_minor: amountMinor, currency, account_number: accountNumber, bank_code: bankCode } = line;
  const railReference = isOurReference(reference) ? reference : null;
  return { railReference, amountMinor, currency, accountNumber, bankCode };
}

/** A line of the rail's file as the rail's response, at the time that the file gives. */
export function answerOf(line: LineRow, message: string): RailAnswer {
  if (line.occurred_at === null) throw new Error(`line ${line.id} has no date`);
  return {
    ...OUTCOMES[line.kind],
    code: null,
    message,
    sessionId: line.session_id,
    at: line.occurred_at,
    reported: reportedByLine(line),
  };
}

/** A shorter note does not say what was found out. */
const MIN_NOTE_LENGTH = 10;

export interface LineResolution {
  importId: string;
  lineId: string;
  /**
   * `APPLY`: the rail's report is applied, as if it had answered a query; only where that ends an open payout or
   * returns the money of a success. `ACCEPT`: looked into; nothing moves.
   */
  how: 'APPLY' | 'ACCEPT';
  /** Needed to accept: what was found out. */
  note: string | null;
  /** One of the operator's people. */
  personId: string;
}

/**
 * Resolves one line that differs. Applying uses `applyOutcome`, so a webhook or a requery at the same moment, or a
 * second attempt after a crash, changes nothing twice.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`, or `SECOND_PERSON_NEEDED` to apply what one imported oneself,
 *   `SECOND_PERSON_TOO_NEW`; 404
 *   `SETTLEMENT_NOT_FOUND` or `SETTLEMENT_LINE_NOT_FOUND`; 409 `SETTLEMENT_LINE_RESOLVED` or
 *   `SETTLEMENT_LINE_NOT_APPLICABLE`; 400 for a note that is missing.
 */
export async function resolveLine(deps: ReconciliationDeps, resolution: LineResolution): Promise<void> {
  const { importId, lineId, how, personId } = resolution;
  const { database } = deps;
  const note = resolution.note?.trim() || null;
  if (how === 'ACCEPT' && (note?.length ?? 0) < MIN_NOTE_LENGTH) {
    throw invalidField('note', `must say in at least ${MIN_NOTE_LENGTH} characters what was found out`);
  }
  const { email } = await requireOperator(database, personId);
  const [settlement] = await database.query(findImport, [importId]);
  if (settlement === undefined) throw importNotFound();
  const [line] = await database.query(findLine, [importId, lineId]);
  if (line === undefined || line.result === null) throw lineNotFound();
  if (line.result === 'MATCHED') throw lineNotApplicable('it agrees with our books');
  if (line.resolved_at !== null) throw lineAlreadyResolved();
  if (how === 'APPLY') {
    // A file may be wrong or forged by the person who brought it: like a proposal, it ends a payout only by two people.
    if (settlement.imported_by === email) throw secondPersonForFile();
    await requireApart({ queries: database, clock: deps.clock }, { decider: personId, maker: settlement.imported_by });
    await apply(deps, settlement, line);
  }
  const resolved = await database.query(updateLineResolved, [
    importId,
    lineId,
    how === 'APPLY' ? 'APPLIED' : 'ACCEPTED',
    note,
    personId,
    deps.clock.now(),
  ]);
  if (resolved.length === 0) throw lineAlreadyResolved();
}

/** The line is settled last: where the process is killed on the way, all of it is done again, and nothing twice. */
async function apply(deps: ReconciliationDeps, settlement: ImportRow, line: LineRow): Promise<void> {
  const before = await requirePayout(deps, settlement, line);
  const reason = whyNot(settlement, line, before);
  if (reason !== undefined) throw lineNotApplicable(reason);
  if (!matchesStatus(line, before.status)) {
    const note = noteOf(settlement, line);
    await applyOutcome(deps, before, answerOf(line, note), { kind: 'SETTLEMENT', note });
  }
  const { status } = await requirePayout(deps, settlement, line);
  // Somebody else may have ended the payout at the same moment, and in another way than the line says.
  if (!matchesStatus(line, status)) {
    throw lineNotApplicable(`our payout is ${status} now; its evidence says why the line did not change that`);
  }
  if (!movedMoney(line, status)) return;
  await deps.database.query(updateLineSettles, [line.import_id, line.id]);
  await settlePayouts(deps, settlement, line.id);
}

async function requirePayout(
  { database }: ReconciliationDeps,
  { mode }: ImportRow,
  { merchant_id, payout_id }: LineRow,
): Promise<PayoutRecord> {
  if (payout_id === null) throw lineNotApplicable('we know no payout that it is about');
  const [payout] = await database.query(findPayout, [merchant_id, mode, payout_id]);
  if (payout === undefined) throw lineNotApplicable('the payout that it was about is gone');
  return payout;
}

/**
 * Why a line cannot be applied: a rail's response moves money only where it adds an end; where it contradicts one, or
 * the sum, people decide.
 */
function whyNot(settlement: ImportRow, line: LineRow, payout: PayoutRecord): string | undefined {
  if (line.result !== 'STATUS_DIFFERS' && line.result !== 'LATE_REVERSAL') {
    return 'only a status that differs or a late reversal can be; look into it and accept it with a note';
  }
  if (payout.rail !== settlement.rail) return `the rail ${payout.rail} has this payout`;
  if (line.kind === 'UNCLEAR') return 'it says nothing final';
  if (isOpen(payout.status) || matchesStatus(line, payout.status)) return undefined;
  if (payout.status === 'SUCCESS' && line.kind === 'REVERSED') return undefined;
  return `it contradicts our ${payout.status}; two people decide that as an unknown outcome, or accept it with a note`;
}

const movedMoney = ({ kind }: LineRow, status: string) =>
  status === 'REVERSED' || (status === 'SUCCESS' && kind === 'PAID');

function matchesStatus({ kind }: LineRow, status: string): boolean {
  if (kind === 'PAID') return status === 'SUCCESS' || status === 'REVERSED';
  if (kind === 'REVERSED') return status === 'REVERSED' || status === 'FAILED';
  return status === 'FAILED';
}

/** The result of one line of many. */
export type ResolvedLine = { lineId: string; lineNumber: number | null; refused: AppError | undefined };

/**
 * Resolves every open line of an import with one result, each on its own: a line that cannot be resolved so is
 * reported, and the others are resolved. A consumer that stops reading stops it.
 * @throws AppError as `resolveLine` where it refuses all of them alike: 400 for a note that is missing.
 */
export async function* resolveLines(
  deps: ReconciliationDeps,
  result: LineResult,
  resolution: Omit<LineResolution, 'lineId'>,
): AsyncGenerator<ResolvedLine> {
  for await (const line of readLines(deps.database, resolution.importId, result)) {
    if (line.resolved_at !== null) continue;
    const named = { lineId: line.id, lineNumber: line.line_number };
    try {
      await resolveLine(deps, { ...resolution, lineId: line.id });
      yield { ...named, refused: undefined };
    } catch (error) {
      if (!(error instanceof AppError) || error.kind === 'invalid') throw error;
      yield { ...named, refused: error };
    }
  }
}
