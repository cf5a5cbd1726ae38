import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { classifyLine, isPosted, type PaymentFacts, type ProviderLineResult } from './classify-line.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import { type SettledMissing, updateMissingSettled } from './line-queries.ts';
import {
  type ComparedLine,
  findPaymentsOfLines,
  listLinesToCompare,
  NOBODYS,
  type ProviderLineRow,
  type ProviderSettlementRow,
  type SettledPayment,
  updateDuplicateProviderLines,
  updateLinesCompared,
  updateLinesReopened,
  updateRepeatedPayments,
} from './queries.ts';

/** Lines compared at once. */
const PIECE = 5_000;

/**
 * Compares lines with our payments, in pieces and by set-based statements. No money moves.
 * @param which what was not compared yet (null), or `MISSING_HERE`: a payment may have come to the books since, or a
 *   freeze that held one may be lifted
 */
export async function compareLines(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  which: Extract<ProviderLineResult, 'MISSING_HERE'> | null,
): Promise<void> {
  await deps.database.query(updateDuplicateProviderLines, [settlement.id]);
  for (let after = 0; ; ) {
    const lines = await deps.database.query(listLinesToCompare, [settlement.id, after, which, PIECE]);
    const last = lines.at(-1);
    if (last === undefined) break;
    await comparePiece(deps, settlement, lines);
    after = last.line_number;
  }
  await deps.database.query(updateRepeatedPayments, [settlement.id]);
}

async function comparePiece(
  deps: ProviderSettlementDeps,
  settlement: ProviderSettlementRow,
  lines: readonly ProviderLineRow[],
): Promise<void> {
  const { database } = deps;
  const rows = await database.query(findPaymentsOfLines, [
    settlement.rail,
    lines.map((line) => line.provider_transaction_id),
    lines.map((line) => line.session_id),
  ]);
  const payments = new Map(rows.map((row) => [row.place, row]));
  const compared = lines.map((line, at) => comparedOf(settlement, line, payments.get(at + 1)));
  const open = compared.filter((_row, at) => lines[at]?.resolved_at === null);
  await database.run(
    updateLinesCompared,
    open.map((row) => write(updateLinesCompared, row).row),
  );
  for (const [at, row] of compared.entries()) {
    if (lines[at]?.resolved_at !== null) await reopen(deps, row, payments.get(at + 1));
  }
}

/**
 * A person who accepted a line that a freeze held said that nothing moves, not that its payment never reaches its
 * wallet.
 */
async function reopen(
  { database, compliance }: ProviderSettlementDeps,
  row: ComparedLine,
  payment: SettledPayment | undefined,
): Promise<void> {
  const waits = isPosted(row.result) && payment?.status === 'PENDING_SETTLEMENT';
  if (!waits || (await compliance.isPaymentFrozen(payment))) return;
  await database.run(updateLinesReopened, [write(updateLinesReopened, row).row]);
}

/** The result of a line beside a payment as it is now. */
export function comparedOf(
  { mode }: ProviderSettlementRow,
  line: ProviderLineRow,
  payment: SettledPayment | undefined,
): ComparedLine {
  const { gross_minor, fee_minor, net_minor, currency, line_mode } = line;
  if (gross_minor === null || fee_minor === null || net_minor === null || currency === null) {
    throw new Error(`line ${line.id} cannot be compared`);
  }
  const facts = { grossMinor: gross_minor, feeMinor: fee_minor, netMinor: net_minor, currency, lineMode: line_mode };
  const isOfMode = payment?.mode === mode;
  return {
    settlement_id: line.settlement_id,
    id: line.id,
    was: line.result,
    ...classifyLine(mode, facts, payment && factsOf(line, payment)),
    merchant_id: isOfMode ? payment.merchant_id : null,
    payment_id: isOfMode ? payment.id : null,
    our_amount_minor: isOfMode ? payment.amount_minor : null,
    our_fee_minor: isOfMode ? payment.provider_fee_minor : null,
    ...NOBODYS,
  };
}

function factsOf(line: ProviderLineRow, payment: SettledPayment): PaymentFacts {
  return {
    mode: payment.mode,
    status: payment.status,
    amountMinor: payment.amount_minor,
    providerFeeMinor: payment.provider_fee_minor,
    settledBy: payment.settled_line_id === line.id ? null : payment.settled_by,
  };
}

/**
 * Notes for lines that lacked a payment that it turned up, where and by whom. A line that is resolved meanwhile is not
 * changed.
 */
export async function resolveMissing(
  { database, clock }: { database: Database; clock: Clock },
  settled: readonly SettledMissing[],
  { note, by }: { note: string; by: string },
): Promise<void> {
  if (settled.length === 0) return;
  const settlements = settled.map(({ settlement_id }) => settlement_id);
  const lines = settled.map(({ id }) => id);
  await database.query(updateMissingSettled, [settlements, note, by, clock.now(), lines]);
}
