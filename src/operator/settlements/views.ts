import { toNumber } from '../../money/index.ts';
import type { LineRow, SettlementSummary } from '../../reconciliation/index.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;
const naira = (minor: bigint | null) => (minor === null ? null : toNumber(minor));

export function settlementView({ settlement, counts, unresolved }: SettlementSummary) {
  return {
    importId: settlement.id,
    rail: settlement.rail,
    mode: settlement.mode,
    merchantId: settlement.merchant_id,
    fileName: settlement.file_name,
    status: settlement.status,
    lineCount: settlement.line_count,
    periodFrom: iso(settlement.period_from),
    periodTo: iso(settlement.period_to),
    importedBy: settlement.imported_by,
    createdAt: settlement.created_at.toISOString(),
    counts,
    unresolved,
  };
}

/** `people`: addresses by id of those who resolved. */
export function settlementLineView(line: LineRow, people: ReadonlyMap<string, string>) {
  return {
    lineId: line.id,
    lineNumber: line.line_number,
    result: line.result,
    detail: line.detail,
    reference: line.reference,
    sessionId: line.session_id,
    kind: line.kind,
    statusText: line.status_text,
    amount: naira(line.amount_minor),
    currency: line.currency,
    accountNumber: line.account_number,
    ourAmount: naira(line.our_amount_minor),
    ourStatus: line.our_status,
    occurredAt: iso(line.occurred_at),
    merchantId: line.merchant_id,
    payoutId: line.payout_id,
    settledAt: iso(line.settled_at),
    resolution: resolutionView(line, people),
    mayApply: line.resolved_at === null && (line.result === 'STATUS_DIFFERS' || line.result === 'LATE_REVERSAL'),
  };
}

function resolutionView(line: LineRow, people: ReadonlyMap<string, string>) {
  const { resolved_at, resolved_how, resolved_note, resolved_by } = line;
  if (resolved_at === null) return null;
  const by = resolved_by === null ? null : (people.get(resolved_by) ?? resolved_by);
  return { how: resolved_how, note: resolved_note, by, at: resolved_at.toISOString() };
}
