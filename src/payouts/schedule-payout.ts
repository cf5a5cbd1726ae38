import { joinParts, withClearance } from '../approvals/index.ts';
import type { CommitResult } from '../ledger/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { Period } from '../platform/http/period.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { TransactionStatus } from '../transactions/index.ts';
import { acceptSingle } from './accept-single.ts';
import { paidLater, readWindows } from './dedupe-keys.ts';
import type { PayoutDeps } from './deps.ts';
import { earlierAnswer, prepareSingle, referenceKeys, type SingleInput } from './new-single.ts';
import { scheduledPayout } from './payout-record.ts';
import { scheduleList } from './queries.ts';
import { payoutView } from './views.ts';

/** Further ahead nobody knows the bank, the fees or the merchant. */
const MAX_AHEAD_MS = 366 * 24 * 60 * 60 * 1000;

const LATER = {
  release: scheduledPayout,
  event: 'payout.scheduled',
  released: 'Payout has been scheduled',
  waits: 'Scheduled payout waits for approval',
};

interface ScheduleInput extends SingleInput {
  scheduledFor: Date;
}

/**
 * Keeps a payout for later, once the people who have to approve it have. Until it fires it holds no money and uses no
 * limit of a day, and then it is priced again; the schedule's id is the transaction's. The caller has checked the PIN.
 * @throws AppError `VALIDATION_FAILED` for a time that is not ahead or too far ahead; 409 `PAYOUT_DUPLICATE` for the
 *   same payment at about that time, or asked for just now and for the same day; else as `paySingle`.
 */
export async function schedulePayout(deps: PayoutDeps, input: ScheduleInput): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  checkTime(input.scheduledFor, deps.clock.now());
  const { payout: accepted } = await prepareSingle(deps, input, input.scheduledFor);
  const { tenant, amountMinor, maker, scheduledFor } = input;
  const payout = { ...accepted, scheduled_for: scheduledFor, next_step: 'FIRE' as const };
  const at = payout.created_at;
  const windows = await readWindows(deps, tenant);
  return withClearance(deps, { tenant, kind: 'SCHEDULE', amountMinor, maker }, async (clearance) => {
    const { answer, ...parts } = acceptSingle(payout, clearance, {
      ...LATER,
      keys: (made) => paidLater(made, at, scheduledFor, windows),
    });
    return deps.ledger.commit({
      tenant,
      id: payout.id,
      occurredAt: payout.created_at.toISOString(),
      idempotency: input.idempotency,
      ...joinParts({ uniqueKeys: referenceKeys(input) }, parts),
      answer,
    });
  });
}

function checkTime(scheduledFor: Date, now: Date): void {
  const aheadMs = scheduledFor.getTime() - now.getTime();
  if (aheadMs <= 0) throw invalidField('scheduledFor', 'must be in the future.');
  if (aheadMs > MAX_AHEAD_MS) throw invalidField('scheduledFor', 'must be at most a year ahead.');
}

/** The period is of the time that a payout is for. */
interface SchedulesWanted extends Partial<Period> {
  status: TransactionStatus | undefined;
}

/**
 * Scheduled payouts, newest first, fired and cancelled ones among them.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readSchedules(queries: Queries, tenant: Tenant, wanted: SchedulesWanted, request: ListRequest) {
  return listView(await readList(queries, scheduleList(tenant, wanted), request), payoutView);
}
