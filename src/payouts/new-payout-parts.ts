import type { MovementParts } from '../ledger/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { insertTransactions, transactionStates } from '../transactions/index.ts';
import { insertPayouts, type PayoutRecord } from './queries.ts';
import { payoutEvent } from './views.ts';

export type PayoutEventType = `payout.${string}`;

/** The rows of a new payout, and its event: for the movement that makes it. */
export function newPayoutParts(payout: PayoutRecord, event: PayoutEventType): MovementParts {
  return { writes: rowsOf(payout, null), events: [payoutEvent(event, payout)] };
}

/**
 * The same for one that a worker leases as it is made: it is `PROCESSING` once the movement commits.
 * @param processing the payout with its lease, as it is then
 */
export function processingPayoutParts(
  queued: PayoutRecord,
  processing: PayoutRecord,
  leaseId: string,
): Pick<Required<MovementParts>, 'firstSteps' | 'writes' | 'events'> {
  return {
    firstSteps: [{ machine: transactionStates, id: queued.id, from: 'QUEUED', to: 'PROCESSING' }],
    writes: rowsOf(processing, leaseId),
    events: [payoutEvent('payout.queued', queued), payoutEvent('payout.processing', processing)],
  };
}

function rowsOf(payout: PayoutRecord, leaseId: string | null): Write[] {
  return [write(insertTransactions, payout), write(insertPayouts, { ...payout, lease_id: leaseId })];
}
