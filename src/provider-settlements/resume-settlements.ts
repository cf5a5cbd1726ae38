import { DISPUTE_UNDER_WAY } from '../disputes/index.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Mode } from '../platform/tenant.ts';
import { REFUND_UNDER_WAY } from '../refunds/index.ts';
import { compareAgain, postLines, requireProviderSettlement } from './apply-settlement.ts';
import { listSettlementsToResume } from './deduction-queries.ts';
import type { ProviderSettlementDeps } from './deps.ts';

/** Gone on with in one run. */
const AT_ONCE = 10;
/** After this time, the process that applies a settlement has gone on with it, or died. */
const LEFT_AFTER_MS = 10 * 60_000;

/**
 * Goes on with settlements that two people had applied: with those that a process left in the middle, and with those
 * that took a refund or a dispute before its end was in the books. It decides nothing that people have not: lines are
 * compared as at any other time, and each is posted once for ever.
 * @returns how many lines are posted now.
 */
export async function resumeSettlements(
  deps: ProviderSettlementDeps & { jobs: JobMonitor },
  mode: Mode,
): Promise<number> {
  const failures = deps.jobs.failuresOf('provider-settlements.resume');
  const leftBefore = new Date(deps.clock.now().getTime() - LEFT_AFTER_MS);
  const runs = [DISPUTE_UNDER_WAY, ...REFUND_UNDER_WAY];
  const asked = [mode, runs, leftBefore, failures.backingOffKeys(), AT_ONCE];
  const found = await deps.database.query(listSettlementsToResume, asked);
  let posted = 0;
  for (const { id } of found) {
    try {
      const settlement = await requireProviderSettlement(deps, id);
      const personId = settlement.decided_by;
      if (personId === null) throw new Error('nobody had the settlement applied');
      await compareAgain(deps, settlement);
      posted += (await postLines(deps, settlement, { personId, limit: Number.MAX_SAFE_INTEGER })).posted;
      failures.succeeded(id);
    } catch (error) {
      failures.failed(id, error, { message: 'a settlement could not be resumed', mode, settlementId: id });
    }
  }
  return posted;
}
