import { readAllowance } from '../../ledger/index.ts';
import { type Answer, success } from '../../platform/answer.ts';
import { lagosDay } from '../../platform/lagos-time.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { DAY_SCOPE } from './day-scope.ts';
import { type LimitDeps, readBothLimits, readLimit } from './read-limits.ts';
import { limitView } from './views.ts';

/** The limits in force now, whose they are, and what is used and left of today's. */
export async function showLimit(deps: LimitDeps, tenant: Tenant): Promise<Answer> {
  const now = deps.clock.now();
  const day = lagosDay(now);
  const [limit, { own, operator }, usedMinor] = await Promise.all([
    readLimit(deps, tenant, now),
    readBothLimits(deps, tenant),
    readAllowance(deps.database, tenant, DAY_SCOPE, day),
  ]);
  return success('Success', limitView({ limit, own, operator, day, usedMinor }));
}
