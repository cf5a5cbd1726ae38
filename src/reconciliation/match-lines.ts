import { findRailPayouts, noteContradiction, type RailPayoutRow } from '../outcomes/index.ts';
import { differingFacts, findPayout, sentTransferOf } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { classifyLine, contradicts, type LineFacts, settles } from './classify-line.ts';
import type { ReconciliationDeps } from './deps.ts';
import {
  type ImportRow,
  type LineRow,
  listLinesToMatch,
  listReturnedReferences,
  type MatchedLine,
  updateDuplicateLines,
  updateLinesMatched,
} from './queries.ts';
import { answerOf, noteOf, reportedByLine } from './resolve-line.ts';

/** Lines compared at once. */
const PIECE = 5_000;

/**
 * Compares every line that was not compared yet with our books, in pieces and by set-based statements. No money moves.
 * A line that contradicts an end that we reported is kept as evidence of its payout, which is put before the operator.
 */
export async function matchLines(deps: ReconciliationDeps, settlement: ImportRow): Promise<void> {
  await deps.database.query(updateDuplicateLines, [settlement.id]);
  for (let after = 0; ; ) {
    const lines = await deps.database.query(listLinesToMatch, [settlement.id, after, PIECE]);
    const last = lines.at(-1);
    if (last === undefined) return;
    await matchPiece(deps, settlement, lines);
    after = last.line_number;
  }
}

async function matchPiece(deps: ReconciliationDeps, settlement: ImportRow, lines: readonly LineRow[]): Promise<void> {
  const { rail, mode, merchant_id: merchantId } = settlement;
  const payouts = await findRailPayouts(
    deps.database,
    { rail, mode, merchantId },
    lines.map((line) => ({ reference: line.reference, sessionId: line.session_id })),
  );
  const returned = await findReturned(deps, settlement, lines, payouts);
  const matched: MatchedLine[] = [];
  for (const [at, line] of lines.entries()) {
    const payout = payouts[at];
    const reported = reportedByLine(line);
    const differs = payout === undefined ? [] : await differingFacts(deps.banks, sentTransferOf(payout), reported);
    const facts = factsOf(line, { rail, returnedToo: returned.has(line.reference ?? ''), differs });
    if (payout !== undefined && contradicts(facts, payout)) await putBeforeOperator(deps, settlement, line, payout);
    matched.push(rowOf(line, facts, payout));
  }
  await deps.database.run(
    updateLinesMatched,
    matched.map((row) => write(updateLinesMatched, row).row),
  );
}

function rowOf(line: LineRow, facts: LineFacts, payout: RailPayoutRow | undefined): MatchedLine {
  const comparison = classifyLine(facts, payout);
  return {
    import_id: line.import_id,
    id: line.id,
    ...comparison,
    merchant_id: payout?.merchant_id ?? null,
    payout_id: payout?.id ?? null,
    our_status: payout?.status ?? null,
    our_amount_minor: payout?.amount_minor ?? null,
    settles: payout !== undefined && settles(facts, payout, comparison),
  };
}

function factsOf(line: LineRow, known: Pick<LineFacts, 'rail' | 'returnedToo' | 'differs'>): LineFacts {
  if (line.amount_minor === null || line.occurred_at === null) throw new Error(`line ${line.id} cannot be compared`);
  return { kind: line.kind, occurredAt: line.occurred_at, ...known };
}

/** Only for the few payouts that we say failed does it matter whether the file has their return as well. */
async function findReturned(
  deps: ReconciliationDeps,
  settlement: ImportRow,
  lines: readonly LineRow[],
  payouts: readonly (RailPayoutRow | undefined)[],
): Promise<Set<string>> {
  const failed = lines.flatMap((line, at) =>
    line.kind === 'PAID' && payouts[at]?.status === 'FAILED' ? (line.reference ?? []) : [],
  );
  if (failed.length === 0) return new Set();
  const rows = await deps.database.query(listReturnedReferences, [settlement.id, failed]);
  return new Set(rows.map(({ reference }) => reference));
}

async function putBeforeOperator(
  deps: ReconciliationDeps,
  settlement: ImportRow,
  line: LineRow,
  { merchant_id, mode, id }: RailPayoutRow,
): Promise<void> {
  const [payout] = await deps.database.query(findPayout, [merchant_id, mode, id]);
  if (payout === undefined) return;
  const note = noteOf(settlement, line);
  await noteContradiction(deps, payout, { rail: settlement.rail, answer: answerOf(line, note), note });
}
