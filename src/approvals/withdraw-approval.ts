import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import { type ApprovalDeps, endApproval, untilSettled } from './decide-approval.ts';
import { approvalClosed, notTheMaker } from './errors.ts';
import type { Maker } from './maker.ts';
import { type ApprovalRow, listExpiredApprovals, updateApprovalsAdvanced } from './queries.ts';
import { requireApproval } from './request-approval.ts';

export interface WithdrawInput {
  tenant: Tenant;
  approvalId: string;
  maker: Maker;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Whoever made it takes it back: what was held is free again, a batch can be corrected.
 * @throws AppError 403 `NOT_THE_MAKER`; 404 `APPROVAL_NOT_FOUND`; 409 `APPROVAL_CLOSED`.
 */
export async function withdrawApproval(deps: ApprovalDeps, input: WithdrawInput): Promise<CommitResult> {
  const { tenant, idempotency, maker } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  return untilSettled(async () => {
    const approval = await requireApproval(deps.database, tenant, input.approvalId);
    if (!isMaker(approval, maker)) throw notTheMaker();
    if (approval.status !== 'PENDING') throw approvalClosed(approval.status);
    return endApproval(deps, approval, 'WITHDRAWN', null, idempotency);
  });
}

/** The person, or the same key again: a person may also take back what a key of theirs made. */
function isMaker(approval: ApprovalRow, { personId, keyId }: Maker): boolean {
  if (personId !== null && approval.made_by === personId) return true;
  return keyId !== null && approval.made_by_key === keyId;
}

/** In one run, of one merchant and of all; the rest has its turn in the next. */
const OF_A_MERCHANT = 20;
const OF_ALL = 200;

/**
 * Ends what has run out in one mode, and releases what it held. One that cannot be ended is left alone for a while that
 * grows. Any number of workers may do it at once.
 * @returns how many were ended.
 */
export async function expireApprovals(deps: ApprovalDeps, mode: Mode): Promise<number> {
  const failures = deps.jobs.failuresOf('approvals.expire');
  const values = [mode, deps.clock.now(), failures.backingOffKeys(), OF_A_MERCHANT, OF_ALL];
  const expired = await deps.database.query(listExpiredApprovals, values);
  return takeTurns<ApprovalRow>(expired, {
    failures,
    tenantOf,
    keyOf: ({ id }) => id,
    take: (approval) => expire(deps, approval),
    aboutOf: ({ id, merchant_id: merchantId }) => ({
      message: 'an approval could not be ended',
      merchantId,
      mode,
      approvalId: id,
    }),
  });
}

async function expire(deps: ApprovalDeps, approval: ApprovalRow): Promise<number> {
  try {
    await endApproval(deps, approval, 'EXPIRED', null);
    return 1;
  } catch (error) {
    // Decided at the last moment, or another worker was faster: the next run sees.
    if (error instanceof AppError && error.retryable) return 0;
    throw error;
  }
}

/** Makes what waits for approval in a sandbox run out so much earlier, for the movement that moves its time. */
export function approvalAdvanceWrites({ merchantId, mode }: Tenant, seconds: number): Write[] {
  return [write(updateApprovalsAdvanced, { merchant_id: merchantId, mode, seconds })];
}
