import { type Clearance, type Cleared, joinParts, type MovementParts } from '../../approvals/index.ts';
import type { EventAnswer } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import { jsonOf } from '../../platform/json-text.ts';
import { insertTransactions } from '../../transactions/index.ts';
import { insertPayouts, type PayoutRecord } from '../queries.ts';
import { payoutView } from '../views.ts';
import { holdSingle } from './hold-single.ts';

/** How a payout goes on where nothing is left to approve, what it takes, and what its client is told in either case. */
export interface Release {
  release(payout: PayoutRecord, cleared: Cleared): PayoutRecord;
  /** Its dedupe keys; where people have to approve it first, it waits until then at the latest. */
  keys(payout: PayoutRecord, waitsUntil?: string | Date): MovementParts;
  event: string;
  released: string;
  waits: string;
}

/** The rows of a new payout and what is told: on its way, or waiting with its approval. For the movement that makes it. */
export function acceptSingle(
  accepted: PayoutRecord,
  clearance: Clearance,
  { release, keys, event, released, waits }: Release,
): Required<MovementParts> & { answer: EventAnswer } {
  if (clearance.kind === 'CLEARED') {
    const payout = release(accepted, clearance);
    return {
      ...joinParts({ marks: clearance.marks }, made(payout, event), keys(payout)),
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
