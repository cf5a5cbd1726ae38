import { AppError } from '../platform/errors.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import type { Mode } from '../platform/tenant.ts';
import { type ApprovalDeps, endApproval } from './decide-approval.ts';
import { type ApprovalRow, listExpiredApprovals } from './queries.ts';

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
  return takeTurns(expired, {
    failures,
    tenantOf: ({ merchant_id: merchantId }) => ({ merchantId, mode }),
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
