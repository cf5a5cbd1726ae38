import type { ChargeLine, Quote } from '../fees/index.ts';
import type { EventDraft, VaryingText } from '../ledger/index.ts';
import { decimalText, toNumber } from '../money/index.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { NOTHING_REPORTED, type ReportedFacts, UNREADABLE } from '../rails/index.ts';
import { type TransactionDetails, transactionView } from '../transactions/index.ts';
import type { AttemptRow, PayoutRecord } from './queries.ts';

/** What a rail reported of a transfer, as the evidence keeps it: JSON text of the facts that it gave; null for none. */
export function reportedText(reported: ReportedFacts): string | null {
  let given: Record<string, string> | undefined;
  for (const [name, fact] of Object.entries(reported)) {
    if (fact === null) continue;
    given ??= {};
    given[name] = String(fact);
  }
  return given === undefined ? null : JSON.stringify(given);
}

/** The same, read back. */
export function reportedFacts(text: string | null): ReportedFacts {
  if (text === null) return NOTHING_REPORTED;
  const { amountMinor = null, ...others } = JSON.parse(text) as Partial<Record<keyof ReportedFacts, string>>;
  const isAmount = amountMinor !== null && amountMinor !== UNREADABLE;
  return { ...NOTHING_REPORTED, ...others, amountMinor: isAmount ? BigInt(amountMinor) : amountMinor };
}

/** A payout on the wire: its transaction, and what only payouts have. */
export function payoutView(payout: PayoutRecord) {
  return { ...transactionView(payout), ...fieldsOf(payout) };
}

const FIELDS = [
  'purpose',
  'phone_number',
  'scheduled_for',
  'session_id',
  'rail_code',
  'fee_minor',
  'vat_minor',
  'stamp_duty_minor',
  'approval_id',
] as const;

function fieldsOf(payout: Pick<PayoutRecord, 'id' | (typeof FIELDS)[number]>) {
  return {
    fee: toNumber(payout.fee_minor),
    vat: toNumber(payout.vat_minor),
    stampDuty: toNumber(payout.stamp_duty_minor),
    purpose: payout.purpose,
    phoneNumber: payout.phone_number,
    sessionId: payout.session_id,
    railCode: payout.rail_code,
    scheduleId: payout.scheduled_for === null ? null : payout.id,
    scheduledFor: payout.scheduled_for?.toISOString() ?? null,
    approvalId: payout.approval_id,
  };
}

/** Fields in which two events of one type and wallet differ, in the order of the view, but for its id and the time. */
const VARYING = [
  'reference',
  'reason',
  'amount',
  'charges',
  'totalAmount',
  'narration',
  'description',
  'batchReference',
  'beneficiaryBankName',
  'beneficiaryBankCode',
  'beneficiaryAccountNumber',
  'beneficiaryAccountName',
  'metadata',
  'createdAt',
  'paidAt',
  'fee',
  'vat',
  'stampDuty',
  'purpose',
  'phoneNumber',
  'sessionId',
  'railCode',
  'scheduleId',
  'scheduledFor',
  'approvalId',
] as const satisfies readonly (keyof ReturnType<typeof payoutView>)[];

const placeOf = (name: (typeof VARYING)[number]): [string, number] => [`"${name}":`, VARYING.indexOf(name)];
const FIELDS_OF_EVENT: VaryingText['fields'] = [
  ['"transactionId":"', 'SUBJECT'],
  ...VARYING.slice(0, VARYING.indexOf('createdAt') + 1).map(placeOf),
  ['"updatedAt":"', 'TIME'],
  ...VARYING.slice(VARYING.indexOf('paidAt')).map(placeOf),
];

/** As `JSON.stringify`, which takes longer for what most fields have. */
function jsonOfField(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** The event of a movement about a payout, with the payout as it is afterwards. */
export function payoutEvent(type: `payout.${string}`, payout: PayoutRecord): EventDraft {
  const view = payoutView(payout);
  const values = VARYING.map((name) => (name === 'metadata' ? (payout.metadata ?? 'null') : jsonOfField(view[name])));
  const varying = { kind: `${type} ${payout.wallet_id}`, fields: FIELDS_OF_EVENT, values };
  return { id: newId(), type, subjectId: payout.id, data: jsonOf(view), varying };
}

/** The same fields, where a payout is read in a list of transactions. */
export const payoutDetails: TransactionDetails = {
  category: 'PAYOUT',
  table: 'payouts',
  columns: FIELDS,
  railColumn: 'rail',
  csvColumns: {
    fee: ['Fee', ({ fee_minor }) => amountText(fee_minor)],
    vat: ['VAT', ({ vat_minor }) => amountText(vat_minor)],
    stampDuty: ['Stamp Duty', ({ stamp_duty_minor }) => amountText(stamp_duty_minor)],
    purpose: ['Purpose', ({ purpose }) => (typeof purpose === 'string' ? purpose : '')],
    sessionId: ['Session ID', ({ session_id: id }) => (typeof id === 'string' ? id : ''), 'DIGITS'],
    scheduledFor: ['Scheduled For (UTC)', ({ scheduled_for: at }) => (at instanceof Date ? at.toISOString() : '')],
  },
  fieldsOf: (row) => fieldsOf(row as unknown as PayoutRecord),
};

const amountText = (amountMinor: unknown): string => (typeof amountMinor === 'bigint' ? decimalText(amountMinor) : '');

function quoteView(quote: Quote) {
  return {
    amount: toNumber(quote.amountMinor),
    fee: toNumber(quote.feeMinor),
    vat: toNumber(quote.vatMinor),
    stampDuty: toNumber(quote.stampDutyMinor),
    charges: toNumber(quote.chargesMinor),
    total: toNumber(quote.totalMinor),
    currency: quote.currency,
  };
}

/** One call to a rail, or one response that came another way, for the evidence of a payout. */
export function attemptView(attempt: AttemptRow) {
  return {
    id: attempt.id,
    kind: attempt.kind,
    rail: attempt.rail,
    startedAt: attempt.started_at.toISOString(),
    endedAt: attempt.ended_at?.toISOString() ?? null,
    outcome: attempt.outcome,
    code: attempt.code,
    reason: attempt.reason,
    message: attempt.message,
    sessionId: attempt.session_id,
    reported: reportedView(attempt.reported),
  };
}

/** What a rail said that its answer is about, as text, since it need not be a valid amount or currency. */
export function reportedView(text: string | null) {
  if (text === null) return null;
  const { railReference, amountMinor, currency, accountNumber, bankCode } = reportedFacts(text);
  const amount = typeof amountMinor === 'bigint' ? decimalText(amountMinor) : amountMinor;
  return { reference: railReference, amount, currency, accountNumber, bankCode };
}

interface ItemNames {
  given_name: string | null;
  match_score: number | null;
  validated_at: Date | null;
}

/** The name that the bank gave when the payout was accepted, and the name that a bulk item expected. */
export function nameEnquiryView(payout: PayoutRecord, item: ItemNames | undefined) {
  return {
    bankName: payout.beneficiary_bank_name,
    bankCode: payout.beneficiary_bank_code,
    accountNumber: payout.beneficiary_account_number,
    accountName: payout.beneficiary_account_name,
    givenName: item?.given_name ?? null,
    matchScore: item?.match_score ?? null,
    askedAt: (item?.validated_at ?? payout.created_at).toISOString(),
  };
}

export function railsView(payout: PayoutRecord) {
  return {
    rail: payout.rail,
    railReference: payout.rail_reference,
    refusedByRail: payout.refused_by,
    operatorReason: payout.operator_reason,
    operatorSince: payout.operator_since?.toISOString() ?? null,
    approvalId: payout.approval_id,
  };
}

/** A quote with its charges one by one: what each is, who bears it, and which rule it comes from. */
export function quotedSingleView(quote: Quote, lines: readonly ChargeLine[]) {
  return { ...quoteView(quote), lines: lines.map(chargeLineView) };
}

function chargeLineView({ kind, amountMinor, rule, reason }: ChargeLine) {
  return {
    kind,
    amount: toNumber(amountMinor),
    payer: rule?.payer ?? null,
    ruleId: rule?.id ?? null,
    effectiveFrom: rule?.effectiveFrom.toISOString() ?? null,
    rounding: rule?.rounding ?? null,
    source: rule?.source ?? null,
    reason,
  };
}
