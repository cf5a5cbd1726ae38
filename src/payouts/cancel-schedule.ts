import { findApprovalOf, joinParts, type MovementParts, untilSettled, voidApproval } from '../approvals/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { write } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { transactionStates } from '../transactions/index.ts';
import { requireAsApproved } from './as-approved.ts';
import type { PayoutDeps } from './deps.ts';
import { scheduleAlreadyCancelled, scheduleAlreadyFired, scheduleNotFound } from './errors.ts';
import { releaseGuards } from './holds.ts';
import { findPayout, type PayoutRecord, updatePayoutsConcluded } from './queries.ts';
import { cancelWaiting } from './single-subject.ts';
import { payoutView } from './views.ts';

interface CancelScheduleInput {
  tenant: Tenant;
  scheduleId: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Calls a scheduled payout off, also while it waits for approval, which dies with it. Against a worker that fires it, or
 * an approver who decides, at the same moment, whichever commits first wins.
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
    const parts = joinParts(cancelWaiting(payout, 'VOID', at), voided);
    return deps.ledger.commit({ ...base, ...parts, answer: { message } });
  }
  return deps.ledger.commit({ ...base, ...cancellation(payout, at), answer: { message } });
}

/** What was altered while it waited is not released by what it says now. */
async function requireStillAsAsked(deps: PayoutDeps, payout: PayoutRecord): Promise<void> {
  if (payout.status !== 'PENDING_APPROVAL' && payout.status !== 'SCHEDULED') return;
  const { merchant_id: merchantId, mode } = payout;
  const approval = await findApprovalOf(deps.database, { merchantId, mode }, payout.id);
  if (approval !== undefined) await requireAsApproved(deps, payout, approval);
}

function cancellation(payout: PayoutRecord, at: Date): MovementParts {
  const { merchant_id, mode, id } = payout;
  const view = payoutView({ ...payout, status: 'CANCELLED', updated_at: at });
  const ended = { merchant_id, mode, id, session_id: null, rail_code: null };
  const from = { machine: transactionStates, id, from: ['SCHEDULED'], otherwise: refusal };
  return joinParts(releaseGuards(payout), {
    transitions: [{ ...from, to: 'CANCELLED', reason: null }],
    writes: [write(updatePayoutsConcluded, ended)],
    events: [{ id: newId(), type: 'payout.cancelled', subjectId: id, data: jsonOf(view) }],
  });
}

function refusal(actual: string | undefined): AppError {
  if (actual === undefined) return scheduleNotFound();
  return actual === 'CANCELLED' ? scheduleAlreadyCancelled() : scheduleAlreadyFired();
}
