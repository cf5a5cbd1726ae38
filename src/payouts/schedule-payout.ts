import { findApprovalOf, untilSettled, voidApproval, withClearance } from '../approvals/index.ts';
import { type CommitResult, type IdempotencyKey, joinParts, type MovementParts } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { type AppError, invalidField } from '../platform/errors.ts';
import type { Period } from '../platform/http/period.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type TransactionStatus, transactionStates } from '../transactions/index.ts';
import { dedupeSchedule, readWindows } from './dedupe-keys.ts';
import type { PayoutDeps } from './deps.ts';
import { scheduleAlreadyCancelled, scheduleAlreadyFired, scheduleNotFound } from './errors.ts';
import { releaseGuards } from './holds.ts';
import { newPayoutParts } from './new-payout-parts.ts';
import { scheduledPayout } from './payout-record.ts';
import { findPayout, type PayoutRecord, scheduleList, updatePayoutsConcluded } from './queries.ts';
import { acceptSingle, earlierAnswer, prepareSingle, referenceKeys, type SingleInput } from './single-payout.ts';
import { cancelWaiting, requireAsApproved } from './single-subject.ts';
import { payoutEvent, payoutView } from './views.ts';

/** Further ahead the bank, the fees and the merchant are unknown. */
const MAX_AHEAD_MS = 366 * 24 * 60 * 60 * 1000;

const PAID_LATER = {
  release: scheduledPayout,
  made: (payout: PayoutRecord) => newPayoutParts(payout, 'payout.scheduled'),
  released: 'Payout has been scheduled',
  waits: 'Scheduled payout waits for approval',
};

interface ScheduleInput extends SingleInput {
  scheduledFor: Date;
}

/**
 * Keeps a payout for later, after the people who have to approve it have done so. Until it fires it holds no money and
 * uses no limit of a day; then it is priced again. The schedule's id is the transaction's. The caller has checked the
 * PIN.
 * @throws AppError `VALIDATION_FAILED` for a time that is not ahead or too far ahead; 409 `PAYOUT_DUPLICATE` for the
 *   same payment at about that time, or one requested just now for the same day; else as `paySingle`.
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
      ...PAID_LATER,
      keys: (taken) => dedupeSchedule(taken, at, scheduledFor, windows),
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
  if (aheadMs <= 0) throw invalidField('scheduledFor', 'must be in the future');
  if (aheadMs > MAX_AHEAD_MS) throw invalidField('scheduledFor', 'must be at most a year ahead');
}

/** The period is of the time that a payout is for. */
interface SchedulesWanted extends Partial<Period> {
  status: TransactionStatus | undefined;
}

/**
 * Scheduled payouts, newest first, fired and cancelled ones among them. No index leads to a state or a date.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readSchedules(
  database: Pick<Database, 'reading'>,
  tenant: Tenant,
  wanted: SchedulesWanted,
  request: ListRequest,
) {
  const isLong = (wanted.status ?? wanted.from ?? wanted.to) !== undefined;
  const asked = { list: scheduleList(tenant, wanted), isLong };
  return listView(await readListOf(database, tenant.merchantId, asked, request), payoutView);
}

interface CancelScheduleInput {
  tenant: Tenant;
  scheduleId: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Cancels a scheduled payout, also while it waits for approval; then its approval ends too. Against a worker that fires
 * it, or an approver who decides, at the same moment, whichever commits first wins.
 * @throws AppError `SCHEDULE_NOT_FOUND`, `SCHEDULE_ALREADY_CANCELLED`, `SCHEDULE_ALREADY_FIRED`; 409
 *   `APPROVAL_SUBJECT_ALTERED`
 */
export async function cancelSchedule(deps: PayoutDeps, input: CancelScheduleInput): Promise<CommitResult> {
  return untilSettled(() => cancelAsItStands(deps, input));
}

async function cancelAsItStands(deps: PayoutDeps, input: CancelScheduleInput): Promise<CommitResult> {
  const { tenant } = input;
  const { merchantId, mode } = tenant;
  const [payout] = await deps.database.query(findPayout, [merchantId, mode, input.scheduleId]);
  if (payout === undefined || payout.scheduled_for === null) throw scheduleNotFound();
  const at = deps.clock.now();
  const message = 'Scheduled payout has been cancelled';
  const base = { tenant, id: payout.id, occurredAt: at.toISOString(), idempotency: input.idempotency };
  await requireStillAsAsked(deps, payout);
  if (payout.status === 'PENDING_APPROVAL') {
    const voided = await voidApproval(deps.database, tenant, payout.approval_id, 'SCHEDULE_CANCELLED', at);
    const parts = joinParts(cancelWaiting(deps, payout, 'VOID', at), voided);
    return deps.ledger.commit({ ...base, ...parts, answer: { message } });
  }
  return deps.ledger.commit({ ...base, ...cancellation(payout, at), answer: { message } });
}

/** A payout that was altered while it waited is not released by its altered row. */
async function requireStillAsAsked(deps: PayoutDeps, payout: PayoutRecord): Promise<void> {
  if (payout.status !== 'PENDING_APPROVAL' && payout.status !== 'SCHEDULED') return;
  const { merchant_id: merchantId, mode } = payout;
  const approval = await findApprovalOf(deps.database, { merchantId, mode }, payout.id);
  if (approval !== undefined) await requireAsApproved(deps, payout, approval);
}

function cancellation(payout: PayoutRecord, at: Date): MovementParts {
  const { merchant_id, mode, id } = payout;
  const ended = { merchant_id, mode, id, session_id: null, rail_code: null };
  const from = { machine: transactionStates, id, from: ['SCHEDULED'], refusal };
  return joinParts(releaseGuards(payout), {
    transitions: [{ ...from, to: 'CANCELLED', reason: null }],
    writes: [write(updatePayoutsConcluded, ended)],
    events: [payoutEvent('payout.cancelled', { ...payout, status: 'CANCELLED', updated_at: at })],
  });
}

function refusal(actual: string | undefined): AppError {
  if (actual === undefined) return scheduleNotFound();
  return actual === 'CANCELLED' ? scheduleAlreadyCancelled() : scheduleAlreadyFired();
}
