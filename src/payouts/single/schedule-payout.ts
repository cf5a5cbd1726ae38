import type { CommitResult } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { invalidField } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { insertTransactions } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { duplicateMark, markOf } from '../guards.ts';
import { insertPayouts, type PayoutRecord } from '../queries.ts';
import { payoutView } from '../views.ts';
import { earlierAnswer, prepareSingle, referenceClaims, type SingleInput } from './new-single.ts';

/** Further ahead nobody knows the bank, the fees or the merchant. */
const MAX_AHEAD_MS = 366 * 24 * 60 * 60 * 1000;

export interface ScheduleInput extends SingleInput {
  scheduledFor: Date;
}

/**
 * Keeps a payout for later. Until it fires it holds no money and uses no limit of a day, and then it is priced again;
 * the schedule's id is the transaction's. The caller has checked the PIN.
 * @throws AppError `VALIDATION_FAILED` for a time that is not ahead or too far ahead; 409 `PAYOUT_DUPLICATE` for the
 *   same payment for the same day; else as `paySingle`.
 */
export async function schedulePayout(deps: PayoutDeps, input: ScheduleInput): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  checkTime(input.scheduledFor, deps.clock.now());
  const { payout: accepted } = await prepareSingle(deps, input, input.scheduledFor);
  const scheduledFor = input.scheduledFor.toISOString();
  const payout: PayoutRecord & { mark: string } = {
    ...accepted,
    mark: markOf(accepted, input.scheduledFor),
    status: 'SCHEDULED',
    scheduled_for: scheduledFor,
    next_step: 'FIRE',
    due_at: scheduledFor,
  };
  return deps.ledger.commit({
    tenant: input.tenant,
    id: payout.id,
    occurredAt: String(payout.created_at),
    idempotency: input.idempotency,
    claims: referenceClaims(input),
    marks: [await duplicateMark(deps, input.tenant, payout, input.allowDuplicate)],
    writes: [write(insertTransactions, payout), write(insertPayouts, payout)],
    events: [{ id: newId(), type: 'payout.scheduled', subjectId: payout.id, data: JSON.stringify(payoutView(payout)) }],
    answer: { message: 'Payout has been scheduled' },
  });
}

function checkTime(scheduledFor: Date, now: Date): void {
  const aheadMs = scheduledFor.getTime() - now.getTime();
  if (aheadMs <= 0) throw invalidField('scheduledFor', 'must be in the future.');
  if (aheadMs > MAX_AHEAD_MS) throw invalidField('scheduledFor', 'must be at most a year ahead.');
}
