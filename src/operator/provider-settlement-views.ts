import { toNumber, toNumberOrNull } from '../money/index.ts';
import type {
  ListedProviderLine,
  ProviderSettlementSummary,
  SettlementFetchRow,
} from '../provider-settlements/index.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** `people`: addresses by id of those who decided. */
export function providerSettlementView(row: ProviderSettlementSummary, people: ReadonlyMap<string, string>) {
  return {
    settlementId: row.id,
    rail: row.rail,
    mode: row.mode,
    reference: row.reference,
    lumpSum: toNumber(row.lump_minor),
    settledOn: row.settled_on,
    cutOff: iso(row.cut_off),
    fileName: row.file_name,
    status: row.status,
    importedBy: row.imported_by,
    createdAt: row.created_at.toISOString(),
    decidedBy: row.decided_by === null ? null : (people.get(row.decided_by) ?? row.decided_by),
    decidedAt: iso(row.decided_at),
    note: row.note,
    counts: row.counts,
    unresolved: row.unresolved,
    gross: toNumber(row.gross_minor),
    fee: toNumber(row.fee_minor),
    net: toNumber(row.net_minor),
    difference: toNumber(row.lump_minor - row.net_minor),
    posted: row.posted,
    postedNet: toNumber(row.posted_net_minor),
  };
}

interface Names {
  /** Names of merchants, by id. */
  names: ReadonlyMap<string, string>;
  /** Addresses of the people who resolved lines, by id. */
  people: ReadonlyMap<string, string>;
}

export function providerLineView(line: ListedProviderLine, { names, people }: Names) {
  return {
    lineId: line.id,
    lineNumber: line.line_number,
    result: line.result,
    detail: line.detail,
    transactionId: line.provider_transaction_id,
    sessionId: line.session_id,
    reference: line.reference,
    gross: toNumberOrNull(line.gross_minor),
    fee: toNumberOrNull(line.fee_minor),
    net: toNumberOrNull(line.net_minor),
    currency: line.currency,
    ourAmount: toNumberOrNull(line.our_amount_minor),
    ourFee: toNumberOrNull(line.our_fee_minor),
    merchantId: line.merchant_id,
    businessName: line.merchant_id === null ? null : (names.get(line.merchant_id) ?? null),
    paymentId: line.payment_id,
    deductionOf:
      line.subject_type === null || line.subject_id === null ? null : { type: line.subject_type, id: line.subject_id },
    postedAt: iso(line.posted_at),
    resolution: resolutionOf(line, people),
  };
}

function resolutionOf(
  { resolved_at, resolved_how, resolved_note, resolved_by }: ListedProviderLine,
  people: ReadonlyMap<string, string>,
) {
  if (resolved_at === null) return null;
  const by = resolved_by === null ? null : (people.get(resolved_by) ?? resolved_by);
  return { how: resolved_how, note: resolved_note, by, at: resolved_at.toISOString() };
}

export function fetchView(row: SettlementFetchRow) {
  return {
    rail: row.rail,
    mode: row.mode,
    reference: row.reference,
    lumpSum: toNumber(row.lump_minor),
    settledOn: row.settled_on,
    source: row.source,
    status: row.status,
    attempts: row.attempts,
    reason: row.reason,
    nextAttemptAt: row.due_at?.toISOString() ?? null,
    settlementId: row.settlement_id,
    notedBy: row.noted_by,
    firstSeenAt: row.first_seen_at.toISOString(),
  };
}
