import { type Answer, success } from '../../platform/answer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { findRulesWaiting } from '../queries.ts';
import { rulesView } from '../views.ts';
import { readRulesNow } from './read-rules.ts';
import { readStanding } from './standing.ts';

/** The rules in force, what they rest on, and whether a change waits. */
export async function showRules(deps: { database: Database; clock: Clock }, tenant: Tenant): Promise<Answer> {
  const { clock } = deps;
  const [rules, standing, [waiting]] = await deps.database.snapshot((queries) =>
    Promise.all([
      readRulesNow(queries, tenant),
      readStanding({ queries, clock }, tenant),
      queries.query(findRulesWaiting, [tenant.merchantId, tenant.mode]),
    ]),
  );
  return success('Success', { ...rulesView(rules), ...standing, approvalId: waiting?.id ?? null });
}
