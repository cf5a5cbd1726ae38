import { commitForPayment } from '../collections/index.ts';
import { type LockedCheck, lockedCheck, type Movement } from '../ledger/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { disputeChanged } from './errors.ts';
import {
  type DisputeChange,
  type DisputeRow,
  type DisputeStatus,
  disputeStates,
  findChangedDisputes,
  updateDisputes,
} from './queries.ts';
import { disputeView } from './views.ts';

const nameOf = (id: string) => `dispute/${id}`;
/** The name under which checks depend on the number of a payment's disputes. */
export const disputesOf = (paymentId: string) => `disputes_of/${paymentId}`;

/**
 * For a movement that depends on a dispute: it is refused where the dispute has changed, and others that change it wait
 * for it.
 */
function ofDispute({ merchant_id, mode, id, version }: DisputeRow): LockedCheck {
  return lockedCheck({
    question: findChangedDisputes,
    rows: [{ merchant_id, mode, id, version }],
    about: [nameOf(id)],
    refusal: (found) => (found.length > 0 ? disputeChanged() : undefined),
  });
}

const EVENTS: Record<DisputeStatus, string> = {
  OPEN: 'dispute.updated',
  EVIDENCE_SENT: 'dispute.evidence_sent',
  WON: 'dispute.won',
  LOST: 'dispute.lost',
  ACCEPTED: 'dispute.accepted',
};

/** What a movement changes of a dispute. */
type Changed = Partial<Omit<DisputeChange, 'merchant_id' | 'mode' | 'id' | 'version' | 'updated_at'>>;

/** The parts of a movement that change a dispute: its next version, the step of its state, and its event. */
export function changeOf(
  row: DisputeRow,
  changed: Changed,
  at: Date,
): {
  row: DisputeRow;
  parts: Required<Pick<Movement, 'checks' | 'changes' | 'transitions' | 'events'>> & { writes: Write[] };
} {
  const next: DisputeRow = { ...row, ...changed, version: row.version + 1, updated_at: at };
  const moves = next.status !== row.status;
  return {
    row: next,
    parts: {
      checks: [ofDispute(row)],
      changes: [nameOf(row.id), disputesOf(row.payment_id)],
      transitions: moves
        ? [
            {
              machine: disputeStates,
              id: row.id,
              from: [row.status],
              to: next.status,
              reason: next.reason,
              refusal: disputeChanged,
            },
          ]
        : [],
      writes: [write(updateDisputes, changeRow(next))],
      events: [
        {
          id: newId(),
          type: moves ? EVENTS[next.status] : EVENTS.OPEN,
          subjectId: row.id,
          data: jsonOf(disputeView(next)),
        },
      ],
    },
  };
}

function changeRow(row: DisputeRow): DisputeChange {
  const { payment_id, rail, provider_dispute_id, source, category, message, currency, ...rest } = row;
  const { receivable_id, opened_at, ...change } = rest;
  return change;
}

/** Somebody else was faster: the decision is made again. */
const OVERTAKEN: readonly string[] = [
  'DISPUTE_CHANGED',
  'PAYMENT_CHANGED',
  'PAYMENT_TAKEN_BACK',
  'INSUFFICIENT_FUNDS',
  'HOLD_ALREADY_RESOLVED',
];

/**
 * Decides and commits; where a balance, the payment or the dispute changed meanwhile, decides again.
 * @param decide gets whether it is the last attempt: then it relies on no balance
 * @returns whether something was committed
 */
export function commitForDispute(
  commit: (movement: Movement) => Promise<unknown>,
  decide: (isLast: boolean) => Promise<Movement | undefined>,
): Promise<boolean> {
  return commitForPayment(commit, decide, OVERTAKEN);
}
