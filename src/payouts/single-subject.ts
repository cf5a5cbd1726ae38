import {
  type ApprovalRow,
  type ApprovalSubject,
  approvalMovedOn,
  type Cleared,
  type EndedHow,
  findApprovalOf,
  isSubjectAltered,
  requireCleared,
  requireUnaltered,
} from '../approvals/index.ts';
import { joinParts, type MovementParts } from '../ledger/index.ts';
import { checkPayoutLimit, dayLimitUsage } from '../limits/index.ts';
import { write } from '../platform/db/statement.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { transactionStates } from '../transactions/index.ts';
import { dedupeApproved, readWindows } from './dedupe-keys.ts';
import type { PayoutDeps } from './deps.ts';
import { payoutGoneBack } from './errors.ts';
import { releaseGuards, resolveHolds } from './holds.ts';
import { putBeforeOperator } from './operator-review.ts';
import { findPayout, type PayoutRecord, updatePayoutsConcluded, updatePayoutsReleased } from './queries.ts';
import { askForSingle } from './single-payout.ts';
import { payoutEvent } from './views.ts';

/** Columns that change after an approval: a schedule is priced and held when it fires, and any payout is sent. */
const CHANGES_LATER: ReadonlySet<string> = new Set([
  'rail',
  'refused_by',
  'next_step',
  'attempts',
  'first_sent_at',
  'sent_at',
  'session_id',
  'rail_code',
  'charges_minor',
  'fee_minor',
  'vat_minor',
  'stamp_duty_minor',
  'amount_hold_id',
  'fee_hold_id',
  'vat_hold_id',
  'stamp_duty_hold_id',
  'counted_on',
]);

/**
 * Compares a single payout or a schedule with what its approval was requested for.
 * @throws AppError 409 `APPROVAL_SUBJECT_ALTERED`, after an alarm; the payout is then before the operator, and stays as
 *   it is.
 */
export async function requireAsApproved(deps: PayoutDeps, payout: PayoutRecord, approval: ApprovalRow): Promise<void> {
  const waits = payout.status === 'PENDING_APPROVAL' || payout.status === 'SCHEDULED';
  const waiting = { record: payout, asked: askForSingle(payout), ...(waits ? {} : { changed: CHANGES_LATER }) };
  try {
    requireUnaltered(deps, approval, waiting);
  } catch (error) {
    if (isSubjectAltered(error)) await putBeforeOperator(deps, payout, 'APPROVAL_SUBJECT_ALTERED');
    throw error;
  }
}

/**
 * Whether a payout that is about to leave is what was approved, where it had to be. Where it is not, people look into
 * it.
 */
export async function isAsApproved(deps: PayoutDeps, payout: PayoutRecord): Promise<boolean> {
  const { merchant_id: merchantId, mode } = payout;
  const approval = await findApprovalOf(deps.database, { merchantId, mode }, payout.id);
  if (approval === undefined) return payout.approval_id === null;
  try {
    await requireAsApproved(deps, payout, approval);
    return approval.status === 'APPROVED';
  } catch (error) {
    if (isSubjectAltered(error)) return false;
    throw error;
  }
}

/**
 * A single payout that waits for approval. Nothing about it changes while it waits, and its record is compared with
 * what was shown before it is paid or released. Approved, it goes to the worker at once, or a schedule at its time;
 * otherwise it is cancelled, and its holds, limit and keys are released.
 */
export function singleSubject(deps: PayoutDeps): ApprovalSubject {
  return {
    async approved(approval, cleared, at) {
      const payout = await requireWaiting(deps, approval);
      const tenant = tenantOf(payout);
      if ((await deps.whyNotRefunded(payout)) === 'PAYMENT_REVERSED') throw payoutGoneBack();
      await checkPayoutLimit(deps, tenant, payout.amount_minor);
      // A schedule keeps the dedupe key of its time, and is counted against the limit when it fires.
      if (payout.scheduled_for !== null) return release(deps, approval, payout, cleared, at);
      const [windows, counted, checks] = await Promise.all([
        readWindows(deps, tenant),
        countAnew(deps, tenant, payout, at),
        deps.refundChecks(payout),
      ]);
      const { limitUsages, countedOn } = counted;
      const released = release(deps, approval, { ...payout, counted_on: countedOn }, cleared, at);
      return joinParts({ checks, limitUsages }, released, dedupeApproved(payout, at, windows));
    },
    ended: async (approval, how, at) => cancelWaiting(deps, await requireWaiting(deps, approval), how, at),
    // A payout that refunds a payment is requested as any other refund is.
    service: async ({ merchant_id, mode, subject_id }) => {
      const [payout] = await deps.database.query(findPayout, [merchant_id, mode, subject_id]);
      return payout !== undefined && (await deps.isRefund(payout)) ? 'COLLECTION' : 'PAYOUT';
    },
    committed: async () => deps.wake(),
  };
}

async function requireWaiting(deps: PayoutDeps, approval: ApprovalRow): Promise<PayoutRecord> {
  const key = [approval.merchant_id, approval.mode, approval.subject_id];
  const [payout] = await deps.database.query(findPayout, key);
  if (payout === undefined) throw new Error(`approval ${approval.id} is of no payout`);
  if (payout.status !== 'PENDING_APPROVAL') throw approvalMovedOn();
  await requireAsApproved(deps, payout, approval);
  return payout;
}

/**
 * A payout that is approved on another day than it was requested counts against that day's limit: nobody can save up
 * days by requesting early.
 */
async function countAnew(deps: PayoutDeps, tenant: Tenant, payout: PayoutRecord, at: Date) {
  const { countedOn, limitUsages } = await dayLimitUsage(deps, tenant, payout.amount_minor, at);
  if (countedOn === payout.counted_on) return { countedOn, limitUsages: [] };
  return { countedOn, limitUsages: [...releaseGuards(payout).limitUsages, ...limitUsages] };
}

/** Needs the clearance: without one this cannot be called. */
function release(
  deps: PayoutDeps,
  approval: ApprovalRow,
  payout: PayoutRecord,
  cleared: Cleared,
  at: Date,
): MovementParts {
  requireCleared(cleared);
  const scheduled = payout.scheduled_for !== null;
  const to = scheduled ? 'SCHEDULED' : 'QUEUED';
  // A schedule waits for approval until its time, and a sandbox moves that forward.
  const dueAt = scheduled ? approval.expires_at : at;
  const { merchant_id, mode, id } = payout;
  const released: PayoutRecord = { ...payout, status: to, due_at: dueAt, updated_at: at };
  return {
    transitions: [transition(payout, to, null)],
    writes: [
      write(updatePayoutsReleased, { merchant_id, mode, id, due_at: dueAt, counted_on: payout.counted_on }),
      ...deps.payoutEnd.writes(payout, 'QUEUED', at),
    ],
    events: [payoutEvent(scheduled ? 'payout.scheduled' : 'payout.queued', released)],
  };
}

/** Releases what it held and counted, to the kobo, in the movement that ends its approval. */
export function cancelWaiting(
  deps: Pick<PayoutDeps, 'payoutEnd'>,
  payout: PayoutRecord,
  how: EndedHow,
  at: Date,
): MovementParts {
  const reason = `APPROVAL_${how}`;
  const { merchant_id, mode, id } = payout;
  const cancelled: PayoutRecord = { ...payout, status: 'CANCELLED', reason, updated_at: at };
  const ended = { merchant_id, mode, id, session_id: null, rail_code: null };
  return joinParts(releaseGuards(payout), {
    transitions: [transition(payout, 'CANCELLED', reason)],
    transfers: payout.amount_hold_id === null ? [] : resolveHolds('VOID', payout),
    writes: [write(updatePayoutsConcluded, ended), ...deps.payoutEnd.writes(payout, 'CANCELLED', at)],
    events: [payoutEvent('payout.cancelled', cancelled)],
  });
}

function transition({ id }: PayoutRecord, to: 'QUEUED' | 'SCHEDULED' | 'CANCELLED', reason: string | null) {
  return { machine: transactionStates, id, from: ['PENDING_APPROVAL'], to, reason, refusal: approvalMovedOn };
}
