import { type ApprovalRow, findApprovalOf, isSubjectAltered, requireUnaltered } from '../approvals/index.ts';
import { askForSingle } from './accept-single.ts';
import type { PayoutDeps } from './deps.ts';
import { putBeforeOperator } from './operator-queue.ts';
import type { PayoutRecord } from './queries.ts';

/** What becomes of a payout once it is let go: a schedule is priced and held then, any is sent. */
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
 * Holds a single payout or a schedule against what its approval was asked for.
 * @throws AppError 409 `APPROVAL_SUBJECT_ALTERED`, after an alarm; it is before the operator then, and stays as it is.
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

/** Whether what is about to leave is what was approved, where it had to be. Where it is not, people look into it. */
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
