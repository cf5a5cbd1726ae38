import { AppError } from '../platform/errors.ts';
import { type ApprovalDeps, endApproval } from './decide-approval.ts';
import { listExpiredApprovals } from './queries.ts';

/** In one round of the chore; the rest has its turn in the next. */
const MAX_A_ROUND = 200;

/** Ends what has run out, and gives back what it held. Returns how many; any number of workers may do it at once. */
export async function expireApprovals(deps: ApprovalDeps): Promise<number> {
  const expired = await deps.database.query(listExpiredApprovals, [deps.clock.now(), MAX_A_ROUND]);
  let ended = 0;
  for (const approval of expired) {
    try {
      await endApproval(deps, approval, 'EXPIRED', null);
      ended += 1;
    } catch (error) {
      // Decided at the last moment, or another worker was faster: the next round sees.
      if (error instanceof AppError && error.passing) continue;
      deps.logger.error({ err: error, approvalId: approval.id }, 'an approval could not be ended');
    }
  }
  return ended;
}
