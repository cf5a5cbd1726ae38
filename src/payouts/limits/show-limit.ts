import { readAllowance } from '../../ledger/index.ts';
import { type Answer, success } from '../../platform/answer.ts';
import { lagosDay } from '../../platform/lagos-time.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { DAY_SCOPE } from './day-scope.ts';
import { type LimitDeps, readBothLimits } from './read-limits.ts';
import { limitView } from './views.ts';

/** The limits in force now, whose they are, and what is used and left of today's, all of one moment. */
export async function showLimit(deps: LimitDeps, tenant: Tenant): Promise<Answer> {
  const { clock } = deps;
  const day = lagosDay(clock.now());
  const [limits, usedMinor] = await deps.database.snapshot((queries) =>
    Promise.all([readBothLimits({ queries, clock }, tenant), readAllowance(queries, tenant, DAY_SCOPE, day)]),
  );
  return success('Success', limitView({ ...limits, day, usedMinor }));
}
