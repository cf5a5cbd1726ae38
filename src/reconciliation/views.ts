import { Type } from 'typebox';
import { type Currency, decimalText, formatMoney, toNumber } from '../money/index.ts';
import { DateTime, type EventTypes, Money, Named, Uuid } from '../platform/http/schemas.ts';
import type { ReportedFacts } from '../rails/index.ts';
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

/** The event to a merchant when a rail's file confirmed payouts of theirs, or their return. */
export function settlementView({ id, kind, rail, payouts, amountMinor, currency, at }: RecordedSettlement) {
  return { settlementId: id, kind, rail, payouts, amount: toNumber(amountMinor), currency, recordedAt: at };
}

const time = (at: Date | null): string => at?.toISOString() ?? '';
const naira = (minor: bigint | null): string => (minor === null ? '' : decimalText(minor));

/** One line of a settlement with its result, as a row of CSV. Amounts in naira, times in UTC. */
export function lineRecord(line: LineRow): Record<string, string> {
  return {
    line: line.line_number === null ? '' : String(line.line_number),
    id: line.id,
    result: line.result ?? '',
    detail: line.detail ?? '',
    reference: line.reference ?? '',
    session_id: line.session_id ?? '',
    amount: naira(line.amount_minor),
    currency: line.currency ?? '',
    account_number: line.account_number ?? '',
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
  reported: ReportedFacts;
  sessionId: string;
  status: string;
  at: Date;
}): Record<string, string> {
  const { reported, sessionId, status, at } = transfer;
  const { railReference, amountMinor, currency, accountNumber, bankCode } = reported;
  return {
    reference: railReference ?? '',
    session_id: sessionId,
    amount: typeof amountMinor === 'bigint' ? decimalText(amountMinor) : '',
    currency: currency ?? '',
    account_number: accountNumber ?? '',
    bank_code: bankCode ?? '',
    status,
    completed_at: at.toISOString(),
  };
}

/** The result of comparing floats, in lines for people. */
export function floatLines(check: FloatCheckRow, before: FloatCheckRow | undefined): string[] {
  const currency = check.currency as Currency;
  const money = (minor: bigint) => formatMoney(minor, currency);
  const { float_minor, unsettled_minor, held_minor, receivable_minor, rail_minor, difference_minor } = check;
  return [
    `rails say\t${money(rail_minor)}`,
    `our books say\t${money(float_minor - unsettled_minor)}\t= float ${money(float_minor)} less ${money(unsettled_minor)} paid and not settled`,
    `on its way\t${money(held_minor)}\theld for payouts without an outcome: some of it may have left`,
    `owed by providers\t${money(receivable_minor ?? 0n)}\tpayments in that are not settled: some of it may lie with the rail already`,
    `difference\t${money(difference_minor)}\t${verdictOf(check)}`,
    ...(before === undefined
      ? []
      : [`before\t${money(before.difference_minor)}\ton ${before.checked_at.toISOString()}`]),
  ];
}

function verdictOf({ difference_minor, held_minor, receivable_minor }: FloatCheckRow): string {
  if (difference_minor === 0n) return 'they agree';
  if (difference_minor > 0n && difference_minor <= (receivable_minor ?? 0n)) {
    return 'settlements that are not recorded yet may explain it';
  }
  if (difference_minor < 0n && difference_minor >= -held_minor) return 'payouts on their way may explain it';
  return difference_minor < 0n ? 'the rails have less than our books' : 'the rails have more than our books';
}

const SettlementSchema = Named(
  'RecordedSettlement',
  Type.Object({
    settlementId: Uuid(),
    kind: Type.Enum(['PAID', 'RETURNED']),
    rail: Type.String({ description: 'Whose file it was.' }),
    payouts: Type.Integer({ description: 'How many were confirmed together, at most 1,000.' }),
    amount: Money('What they come to, without charges.'),
    currency: Type.Literal('NGN'),
    recordedAt: DateTime(),
  }),
);

export const reconciliationEvents: EventTypes = {
  'settlement.recorded': {
    summary: "The rail's own settlement file confirmed payouts, or their return. No status and no wallet changes.",
    data: SettlementSchema,
  },
};
