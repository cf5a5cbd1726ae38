import {
  type ApprovalRequest,
  type ApprovalRow,
  contentOf,
  type Held,
  type MovementParts,
  requestApproval,
  type ShownLine,
} from '../../approvals/index.ts';
import { formatMoney } from '../../money/index.ts';
import { lagosTimeText } from '../lagos-time-text.ts';
import type { PayoutRecord } from '../queries.ts';

/** Puts a single payout, now or for later, before the people who have to approve it. A schedule waits until its time. */
export function holdSingle<P extends PayoutRecord>(
  held: Held,
  payout: P,
): { payout: P; approval: ApprovalRow; parts: MovementParts } {
  const { approval, parts } = requestApproval(held, askForSingle(payout));
  const waiting = { ...payout, approval_id: approval.id, rules_version: approval.rules_version };
  return { payout: waiting, approval, parts };
}

/** What is the service's to change while a payout waits. The rest is what was put before people, column by column. */
const FREE: ReadonlySet<string> = new Set([
  'status',
  'reason',
  'due_at',
  'updated_at',
  'paid_at',
  'operator_reason',
  'operator_since',
  'approval_id',
  'rules_version',
]);

/** What people are asked about a payout, from its record: the same again, as long as nobody alters it. */
export function askForSingle(payout: PayoutRecord): ApprovalRequest {
  const { scheduled_for: scheduledFor } = payout;
  return {
    subjectId: payout.id,
    title: `${formatMoney(payout.amount_minor, payout.currency)} to ${payout.beneficiary_account_name}`,
    amountMinor: payout.amount_minor,
    chargesMinor: payout.charges_minor,
    shown: shownOf(payout),
    payload: { content: contentOf(payout, FREE) },
    ...(scheduledFor === null ? {} : { expiresAt: new Date(scheduledFor) }),
    at: new Date(payout.created_at),
  };
}

function shownOf(payout: PayoutRecord): ShownLine[] {
  const money = (minor: bigint) => formatMoney(minor, payout.currency);
  const optional = (label: string, value: string | null): ShownLine[] => (value === null ? [] : [{ label, value }]);
  return [
    { label: 'Account name', value: payout.beneficiary_account_name },
    { label: 'Bank', value: payout.beneficiary_bank_name },
    { label: 'Account number', value: payout.beneficiary_account_number },
    { label: 'Amount', value: money(payout.amount_minor) },
    { label: 'Fee', value: money(payout.fee_minor) },
    { label: 'VAT', value: money(payout.vat_minor) },
    { label: 'Stamp duty', value: money(payout.stamp_duty_minor) },
    { label: 'Total', value: money(payout.amount_minor + payout.charges_minor) },
    { label: 'Narration', value: payout.narration },
    { label: 'Purpose', value: payout.purpose },
    ...optional('Reference', payout.client_reference),
    ...optional('Phone number', payout.phone_number),
    ...(payout.scheduled_for === null ? [] : ofSchedule(new Date(payout.scheduled_for))),
  ];
}

/** It is priced again when it is paid, which whoever approves it is told. */
const ofSchedule = (scheduledFor: Date): ShownLine[] => [
  { label: 'Paid on', value: lagosTimeText(scheduledFor) },
  { label: 'Charges', value: 'by the fees of that day; above as they are known today' },
];
