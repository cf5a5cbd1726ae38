import { type Currency, formatMoney, toNumber } from '../money/index.ts';
import type { FloatCheckRow, LineRow, SettlementRow } from './queries.ts';

interface RecordedSettlement {
  id: string;
  kind: SettlementRow['kind'];
  rail: string;
  payouts: number;
  amountMinor: bigint;
  currency: Currency;
  at: string;
}

/** What a merchant is told when a rail's file confirmed payouts of theirs, or their return. */
export function settlementView({ id, kind, rail, payouts, amountMinor, currency, at }: RecordedSettlement) {
  return { settlementId: id, kind, rail, payouts, amount: toNumber(amountMinor), currency, recordedAt: at };
}

const time = (at: Date | null): string => at?.toISOString() ?? '';
const naira = (minor: bigint | null): string => (minor === null ? '' : decimalText(minor));

/** `1234.50`, for a spreadsheet. */
function decimalText(minor: bigint): string {
  const sign = minor < 0n ? '-' : '';
  const size = minor < 0n ? -minor : minor;
  return `${sign}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

/** One line of a settlement with what came of it, as a row of CSV. Amounts in naira, times in UTC. */
export function lineRecord(line: LineRow): Record<string, string> {
  return {
    line: line.line_number === null ? '' : String(line.line_number),
    id: line.id,
    result: line.result ?? '',
    detail: line.detail ?? '',
    reference: line.reference ?? '',
    session_id: line.session_id ?? '',
    amount: naira(line.amount_minor),
    our_amount: naira(line.our_amount_minor),
    date: time(line.occurred_at),
    status: line.status_text ?? '',
    our_status: line.our_status ?? '',
    merchant_id: line.merchant_id ?? '',
    payout_id: line.payout_id ?? '',
    settled_at: time(line.settled_at),
    resolved: line.resolved_how ?? '',
    resolved_note: line.resolved_note ?? '',
    resolved_by: line.resolved_by ?? '',
    resolved_at: time(line.resolved_at),
  };
}

/** A line of a rail's own books as settlement files have it. */
export function exportRecord(transfer: {
  reference: string;
  sessionId: string;
  amountMinor: bigint;
  currency: string;
  status: string;
  at: Date;
}): Record<string, string> {
  const { reference, sessionId, amountMinor, currency, status, at } = transfer;
  return {
    reference,
    session_id: sessionId,
    amount: decimalText(amountMinor),
    currency,
    status,
    completed_at: at.toISOString(),
  };
}

/** What a comparison of floats found, in lines for people. */
export function floatLines(check: FloatCheckRow, before: FloatCheckRow | undefined): string[] {
  const currency = check.currency as Currency;
  const money = (minor: bigint) => formatMoney(minor, currency);
  const { float_minor, unsettled_minor, held_minor, rail_minor, difference_minor } = check;
  return [
    `rails say\t${money(rail_minor)}`,
    `our books say\t${money(float_minor - unsettled_minor)}\t= float ${money(float_minor)} less ${money(unsettled_minor)} paid and not settled`,
    `on its way\t${money(held_minor)}\theld for payouts without an outcome: some of it may have left`,
    `difference\t${money(difference_minor)}\t${verdictOf(check)}`,
    ...(before === undefined
      ? []
      : [`before\t${money(before.difference_minor)}\ton ${new Date(before.checked_at).toISOString()}`]),
  ];
}

function verdictOf({ difference_minor, held_minor }: FloatCheckRow): string {
  if (difference_minor === 0n) return 'they agree';
  if (difference_minor < 0n && difference_minor >= -held_minor) return 'payouts on their way may explain it';
  return difference_minor < 0n ? 'the rails have less than our books' : 'the rails have more than our books';
}
