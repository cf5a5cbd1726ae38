import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalKind, ApprovalRow } from './queries.ts';

/** What an approver is shown, by its code, with the label that people read. Programs use the code alone. */
const LABELS = {
  accountName: 'Account name',
  bankName: 'Bank',
  accountNumber: 'Account number',
  nickname: 'Nickname',
  batchReference: 'Bulk payout',
  fileName: 'File',
  payouts: 'Payouts',
  itemsLeftOut: 'Invalid items that are left out',
  namesDiffer: 'Names that differ from the bank’s',
  amount: 'Amount',
  fee: 'Fee',
  vat: 'VAT',
  stampDuty: 'Stamp duty',
  total: 'Total',
  largestPayout: 'Largest payout',
  narration: 'Narration',
  purpose: 'Purpose',
  reference: 'Reference',
  phoneNumber: 'Phone number',
  scheduledFor: 'Paid on',
  charges: 'Charges',
  duplicates: 'Repeat what was paid or waits',
  itemsDigest: 'Digest of the items',
  perPayout: 'One payout',
  perDay: 'A day',
  isMakerCheckerEnabled: 'Approvals',
  rulesBefore: 'Rules now',
  rulesAfter: 'Rules then',
  payment: 'Payment',
  payer: 'Payer',
  way: 'Way',
  note: 'Reason',
  other: 'Other',
} as const;

export type ShownField = keyof typeof LABELS;

export const SHOWN_FIELDS = Object.keys(LABELS) as readonly ShownField[];

export const SUBJECT_TYPES = ['PAYOUT', 'BATCH', 'BENEFICIARY', 'LIMIT', 'RULES', 'REFUND', 'PAYMENT'] as const;

export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The subject type of an approval: a schedule is a payout. */
export const subjectTypeOf = (kind: ApprovalKind): SubjectType => (kind === 'SCHEDULE' ? 'PAYOUT' : kind);

/** One line of what an approver is shown, as it is stored: its label is what the approver read. */
export interface ShownLine {
  field: ShownField;
  label: string;
  value: string;
  /** The type of what the line names; null where it names nothing. */
  subjectType: SubjectType | null;
  subjectId: string | null;
}

/** A line with its label. @param subject what it names, such as the batch of a reference. */
export function shownLine(
  field: ShownField,
  value: string,
  subject?: { subjectType: SubjectType; subjectId: string },
): ShownLine {
  const { subjectType = null, subjectId = null } = subject ?? {};
  return { field, label: LABELS[field], value, subjectType, subjectId };
}

/** Whether two lists show the same, whatever their labels are. */
export function showsTheSame(lines: readonly ShownLine[], others: readonly ShownLine[]): boolean {
  return isDeepStrictEqual(lines.map(withoutLabel), others.map(withoutLabel));
}

const withoutLabel = ({ label: _, ...line }: ShownLine) => line;

type Digested = Omit<ApprovalRow, 'digest' | 'status' | 'reason' | 'given' | 'expires_at' | 'updated_at'>;

/**
 * SHA-256, hex, over everything that an approver is shown and everything that the last approval puts into force, in one
 * fixed order. How far the approval is, and when it expires, is not part of it.
 */
export function digestOf(approval: Digested): string {
  const { merchant_id, mode, id, kind, subject_id, title, amount_minor, charges_minor, currency } = approval;
  const { shown, payload, needed, rules_version, made_by, made_by_name, made_via, made_ip, made_at } = approval;
  const amounts = [amount_minor, charges_minor].map((minor) => (minor === null ? null : String(minor)));
  // An approval made before the address was kept has the digest that it was shown with.
  const address = made_ip === null ? [] : [made_ip];
  const made = [made_by, made_by_name, made_via, made_at.toISOString(), ...address];
  const text = JSON.stringify([
    ['manilla-approval', 1 + address.length],
    [merchant_id, mode, id, kind, subject_id],
    [title, ...amounts, currency],
    shown,
    payload,
    [needed, rules_version],
    made,
  ]);
  return hash('sha256', text, 'hex');
}
