import {
  type ApprovalRequest,
  type ApprovalRow,
  type Clearance,
  type Cleared,
  contentOf,
  type Held,
  joinParts,
  type MovementParts,
  requestApproval,
  type ShownLine,
  shownLine,
} from '../approvals/index.ts';
import type { EventAnswer } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import { lagosTimeText } from '../platform/clock.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { insertTransactions } from '../transactions/index.ts';
import { insertPayouts, type PayoutRecord } from './queries.ts';
import { payoutView } from './views.ts';

/** How a payout goes on where nothing is left to approve, what it takes, and what its client gets in either case. */
interface Release {
  release(payout: PayoutRecord, cleared: Cleared): PayoutRecord;
  /** Its dedupe keys; where people have to approve it first, it waits until then at the latest. */
  keys(payout: PayoutRecord, waitsUntil?: Date): MovementParts;
  event: string;
  released: string;
  waits: string;
}

/** The rows of a new payout and its events: on its way, or waiting with its approval. For the movement that makes it. */
export function acceptSingle(
  accepted: PayoutRecord,
  clearance: Clearance,
  { release, keys, event, released, waits }: Release,
): Required<MovementParts> & { answer: EventAnswer } {
  if (clearance.kind === 'CLEARED') {
    const payout = release(accepted, clearance);
    return {
      ...joinParts({ reservations: clearance.reservations }, made(payout, event), keys(payout)),
      answer: { message: released },
    };
  }
  const { payout, approval, parts } = holdSingle(clearance, accepted);
  return {
    ...joinParts(made(payout, 'payout.pending_approval'), parts, keys(payout, approval.expires_at)),
    answer: { message: waits },
  };
}

function made(payout: PayoutRecord, event: string): MovementParts {
  return {
    writes: [write(insertTransactions, payout), write(insertPayouts, payout)],
    events: [eventOf(event, payout)],
  };
}

function eventOf(type: string, payout: PayoutRecord) {
  return { id: newId(), type, subjectId: payout.id, data: jsonOf(payoutView(payout)) };
}

/** Puts a single payout, now or for later, before the people who have to approve it. A schedule waits until its time. */
function holdSingle<P extends PayoutRecord>(
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
    ...(scheduledFor === null ? {} : { expiresAt: scheduledFor }),
    at: payout.created_at,
  };
}

function shownOf(payout: PayoutRecord): ShownLine[] {
  const money = (minor: bigint) => formatMoney(minor, payout.currency);
  const named = { subjectType: 'PAYOUT', subjectId: payout.id } as const;
  return [
    shownLine('accountName', payout.beneficiary_account_name),
    shownLine('bankName', payout.beneficiary_bank_name),
    shownLine('accountNumber', payout.beneficiary_account_number),
    shownLine('amount', money(payout.amount_minor)),
    shownLine('fee', money(payout.fee_minor)),
    shownLine('vat', money(payout.vat_minor)),
    shownLine('stampDuty', money(payout.stamp_duty_minor)),
    shownLine('total', money(payout.amount_minor + payout.charges_minor)),
    shownLine('narration', payout.narration),
    shownLine('purpose', payout.purpose),
    ...(payout.client_reference === null ? [] : [shownLine('reference', payout.client_reference, named)]),
    ...(payout.phone_number === null ? [] : [shownLine('phoneNumber', payout.phone_number)]),
    ...(payout.scheduled_for === null ? [] : ofSchedule(payout.scheduled_for)),
  ];
}

/** It is priced again when it is paid, which whoever approves it is shown. */
const ofSchedule = (scheduledFor: Date): ShownLine[] => [
  shownLine('scheduledFor', lagosTimeText(scheduledFor)),
  shownLine('charges', 'by the fees of that day; above as they are known today'),
];
