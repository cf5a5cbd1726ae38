import type { Clearance, Cleared } from '../../approvals/index.ts';
import type { Movement } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import { insertTransactions } from '../../transactions/index.ts';
import { insertPayouts, type PayoutRecord } from '../queries.ts';
import { payoutView } from '../views.ts';
import { holdSingle } from './hold-single.ts';

/** How a payout goes on where nothing is left to approve, and what its client is told in either case. */
export interface Release {
  release(payout: PayoutRecord, cleared: Cleared): PayoutRecord;
  event: string;
  released: string;
  waits: string;
}

/** The rows of a new payout and what is told: on its way, or waiting with its approval. For the movement that makes it. */
export function acceptSingle(
  accepted: PayoutRecord,
  clearance: Clearance,
  { release, event, released, waits }: Release,
): Required<Pick<Movement, 'marks' | 'writes' | 'events' | 'answer'>> {
  if (clearance.kind === 'CLEARED') {
    const payout = release(accepted, clearance);
    return {
      marks: clearance.marks,
      writes: [write(insertTransactions, payout), write(insertPayouts, payout)],
      events: [eventOf(event, payout)],
      answer: { message: released },
    };
  }
  const { payout, parts } = holdSingle(clearance, accepted);
  return {
    marks: parts.marks ?? [],
    writes: [write(insertTransactions, payout), write(insertPayouts, payout), ...(parts.writes ?? [])],
    events: [eventOf('payout.pending_approval', payout), ...(parts.events ?? [])],
    answer: { message: waits },
  };
}

function eventOf(type: string, payout: PayoutRecord) {
  return { id: newId(), type, subjectId: payout.id, data: JSON.stringify(payoutView(payout)) };
}
