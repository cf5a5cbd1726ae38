import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Mode } from '../platform/tenant.ts';

/**
 * The result of comparing a line with our payments, refunds and disputes. The first three are posted; the others never
 * are.
 */
export const PROVIDER_LINE_RESULTS = [
  'MATCHED',
  'FEE_DIFFERS',
  'DEDUCTION_MATCHED',
  'MISSING_HERE',
  'MISSING_THERE',
  'AMOUNT_DIFFERS',
  'NET_DIFFERS',
  'CURRENCY_DIFFERS',
  'MODE_DIFFERS',
  'STATUS_DIFFERS',
  'ALREADY_SETTLED',
  'DEDUCTION',
  'DUPLICATE_LINE',
  'UNREADABLE',
] as const;
export type ProviderLineResult = (typeof PROVIDER_LINE_RESULTS)[number];

/** `ACCEPTED`: looked into and noted. `FOUND_LATER`: another settlement had it. */
export type ProviderLineResolution = 'ACCEPTED' | 'FOUND_LATER';

/** Results that are posted when the settlement is applied, as a list of words in SQL. */
export const POSTED_RESULTS = `('MATCHED', 'FEE_DIFFERS', 'DEDUCTION_MATCHED')`;

/** A line `l` that could be read is part of the lump sum, unless it is in another currency. */
export const IN_LUMP = `l.line_number is not null and l.currency = '${DEFAULT_CURRENCY}'`;

export const isPosted = (result: ProviderLineResult): boolean =>
  result === 'MATCHED' || result === 'FEE_DIFFERS' || result === 'DEDUCTION_MATCHED';

/** SHA-256, hex, over what somebody recorded. Whether it was applied, by whom and why is not part of it. */
export const settlementDigest = (s: string): string =>
  `encode(sha256(convert_to(json_build_array(
     ${s}.id, ${s}.rail, ${s}.mode, ${s}.reference, ${s}.lump_minor, ${s}.currency, ${s}.settled_on,
     extract(epoch from ${s}.cut_off), ${s}.file_name, ${s}.file_hash, ${s}.imported_by,
     extract(epoch from ${s}.created_at))::text, 'UTF8')), 'hex')`;

/**
 * SHA-256, hex, over a line as it was read, the result of comparing it, and who resolved it how. Columns that only
 * deductions have are left out for a line of a payment.
 */
export const providerLineDigest = (line: string, compared: string = line, resolved: string = line): string =>
  `encode(sha256(convert_to(json_build_array(
     ${line}.settlement_id, ${line}.id, ${line}.line_number, ${line}.provider_transaction_id, ${line}.session_id,
     ${line}.reference, ${line}.gross_minor, ${line}.fee_minor, ${line}.net_minor, ${line}.currency, ${line}.line_mode,
     extract(epoch from ${line}.occurred_at), ${compared}.result, ${compared}.detail, ${compared}.merchant_id,
     ${compared}.payment_id, ${compared}.our_amount_minor, ${compared}.our_fee_minor, ${resolved}.resolved_how,
     ${resolved}.resolved_note, ${resolved}.resolved_by, extract(epoch from ${resolved}.resolved_at))::text
     || case when ${line}.deduction is null then ''
             else json_build_array(${line}.deduction, ${compared}.subject_type, ${compared}.subject_id,
                                   ${compared}.receivable_id)::text end, 'UTF8')), 'hex')`;

/** The parts of a line that decide. In kobo. */
export interface ProviderLineFacts {
  grossMinor: bigint;
  feeMinor: bigint;
  netMinor: bigint;
  currency: string;
  lineMode: Mode | null;
}

/** The payment that a line names, as the books have it. */
export interface PaymentFacts {
  mode: Mode;
  status: string;
  amountMinor: bigint;
  /** What the provider said at the confirmation that it keeps; null: it did not say. */
  providerFeeMinor: bigint | null;
  /** The reference of the settlement by another line of which it was settled. */
  settledBy: string | null;
}

interface Comparison {
  result: ProviderLineResult;
  /** For people: what differs. Null where nothing does. */
  detail: string | null;
}

/** Compares a line that could be read with the payment that it names. Pure; nothing moves here. */
export function classifyLine(mode: Mode, line: ProviderLineFacts, payment: PaymentFacts | undefined): Comparison {
  if (line.lineMode !== null && line.lineMode !== mode) {
    return { result: 'MODE_DIFFERS', detail: `the line is of ${line.lineMode}` };
  }
  if (payment === undefined) return { result: 'MISSING_HERE', detail: 'no payment of ours has this reference' };
  if (payment.mode !== mode) return { result: 'MODE_DIFFERS', detail: `our payment is of ${payment.mode}` };
  if (payment.settledBy !== null) {
    return { result: 'ALREADY_SETTLED', detail: `settlement ${payment.settledBy} settled it` };
  }
  if (line.currency !== DEFAULT_CURRENCY) return { result: 'CURRENCY_DIFFERS', detail: `we have ${DEFAULT_CURRENCY}` };
  if (line.grossMinor !== payment.amountMinor) {
    return { result: 'AMOUNT_DIFFERS', detail: 'our payment has another amount' };
  }
  if (payment.status === 'RETURNED') return { result: 'STATUS_DIFFERS', detail: 'our payment went back to its payer' };
  return compareCharges(line, payment.providerFeeMinor);
}

/** Its own sums have to be right before its fee counts as a cost. */
function compareCharges({ grossMinor, feeMinor, netMinor }: ProviderLineFacts, known: bigint | null): Comparison {
  if (grossMinor - feeMinor !== netMinor)
    return { result: 'NET_DIFFERS', detail: 'its net is not its gross less its fee' };
  if (feeMinor < 0n || netMinor < 0n)
    return { result: 'NET_DIFFERS', detail: 'its fee is below zero or above its gross' };
  if (known !== null && known !== feeMinor) {
    return { result: 'FEE_DIFFERS', detail: 'the provider said another fee when it confirmed the payment' };
  }
  return { result: 'MATCHED', detail: null };
}

/** The detail of a deduction that belongs to no refund and no dispute of ours. */
export const NOTHING_OF_OURS = 'no refund and no dispute of ours answers to it';

/** The refund or dispute of a deduction, as the books have it. */
export interface SubjectFacts {
  amountMinor: bigint;
  /** Why it should not have been deducted; undefined where it should. */
  differs?: string | undefined;
  /** The reference of the settlement by another line of which it was taken. */
  settledBy: string | null;
  /** The number of another line of this settlement for the same subject. */
  sameAs: number | null;
}

/** Compares a deduction with its refund or dispute. Pure; nothing moves here. */
export function classifyDeduction(mode: Mode, line: ProviderLineFacts, subject: SubjectFacts | undefined): Comparison {
  if (line.lineMode !== null && line.lineMode !== mode) {
    return { result: 'MODE_DIFFERS', detail: `the line is of ${line.lineMode}` };
  }
  if (subject === undefined) return { result: 'DEDUCTION', detail: NOTHING_OF_OURS };
  if (subject.settledBy !== null) {
    return { result: 'ALREADY_SETTLED', detail: `settlement ${subject.settledBy} took it before` };
  }
  if (subject.sameAs !== null) return { result: 'DUPLICATE_LINE', detail: `of the same as line ${subject.sameAs}` };
  if (line.currency !== DEFAULT_CURRENCY) return { result: 'CURRENCY_DIFFERS', detail: `we have ${DEFAULT_CURRENCY}` };
  // The amount that will be taken for it is known when it has ended.
  if (subject.differs !== undefined) return { result: 'STATUS_DIFFERS', detail: subject.differs };
  if (-line.grossMinor !== subject.amountMinor) return { result: 'AMOUNT_DIFFERS', detail: 'ours has another amount' };
  if (line.grossMinor - line.feeMinor !== line.netMinor) {
    return { result: 'NET_DIFFERS', detail: 'its net is not its gross less its fee' };
  }
  if (line.feeMinor < 0n) return { result: 'NET_DIFFERS', detail: 'its fee is below zero' };
  return { result: 'DEDUCTION_MATCHED', detail: null };
}
