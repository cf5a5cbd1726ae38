import { type Clearance, withClearance } from '../../approvals/index.ts';
import type { CommitResult, Movement } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { invalidField } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { insertTransactions } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { duplicateMark, markOf } from '../guards.ts';
import { scheduledPayout } from '../payout-record.ts';
import { insertPayouts, type PayoutRecord } from '../queries.ts';
import { payoutView } from '../views.ts';
import { holdSingle } from './hold-single.ts';
import { earlierAnswer, prepareSingle, referenceClaims, type SingleInput } from './new-single.ts';

/** Further ahead nobody knows the bank, the fees or the merchant. */
const MAX_AHEAD_MS = 366 * 24 * 60 * 60 * 1000;

export interface ScheduleInput extends SingleInput {
  scheduledFor: Date;
}

/**
 * Keeps a payout for later, once the people who have to approve it have. Until it fires it holds no money and uses no
 * limit of a day, and then it is priced again; the schedule's id is the transaction's. The caller has checked the PIN.
 * @throws AppError `VALIDATION_FAILED` for a time that is not ahead or too far ahead; 409 `PAYOUT_DUPLICATE` for the
 *   same payment for the same day; else as `paySingle`.
 */
export async function schedulePayout(deps: PayoutDeps, input: ScheduleInput): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  checkTime(input.scheduledFor, deps.clock.now());
  const { payout: accepted } = await prepareSingle(deps, input, input.scheduledFor);
  const scheduledFor = input.scheduledFor.toISOString();
  const { tenant, amountMinor, maker } = input;
  const payout = {
    ...accepted,
    mark: markOf(accepted, input.scheduledFor),
    scheduled_for: scheduledFor,
    next_step: 'FIRE' as const,
  };
  const duplicate = await duplicateMark(deps, tenant, payout, input.allowDuplicate);
  return withClearance(deps, { tenant, kind: 'SCHEDULE', amountMinor, maker }, async (clearance) => {
    const { marks, ...rest } = acceptance(payout, clearance);
    return deps.ledger.commit({
      tenant,
      id: payout.id,
      occurredAt: String(payout.created_at),
      idempotency: input.idempotency,
      claims: referenceClaims(input),
      marks: [duplicate, ...marks],
      ...rest,
    });
  });
}

type Acceptance = Required<Pick<Movement, 'marks' | 'writes' | 'events' | 'answer'>>;

function acceptance(accepted: PayoutRecord, clearance: Clearance): Acceptance {
  if (clearance.kind === 'CLEARED') {
    const payout = scheduledPayout(accepted, clearance);
    return {
      marks: clearance.marks,
      writes: [write(insertTransactions, payout), write(insertPayouts, payout)],
      events: [eventOf('payout.scheduled', payout)],
      answer: { message: 'Payout has been scheduled' },
    };
  }
  const { payout, parts } = holdSingle(clearance, accepted);
  return {
    marks: parts.marks ?? [],
    writes: [write(insertTransactions, payout), write(insertPayouts, payout), ...(parts.writes ?? [])],
    events: [eventOf('payout.pending_approval', payout), ...(parts.events ?? [])],
    answer: { message: 'Scheduled payout waits for approval' },
  };
}

function eventOf(type: string, payout: PayoutRecord) {
  return { id: newId(), type, subjectId: payout.id, data: JSON.stringify(payoutView(payout)) };
}

function checkTime(scheduledFor: Date, now: Date): void {
  const aheadMs = scheduledFor.getTime() - now.getTime();
  if (aheadMs <= 0) throw invalidField('scheduledFor', 'must be in the future.');
  if (aheadMs > MAX_AHEAD_MS) throw invalidField('scheduledFor', 'must be at most a year ahead.');
}
