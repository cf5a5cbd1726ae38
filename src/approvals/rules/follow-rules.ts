import type { Ledger } from '../../ledger/index.ts';
import { success } from '../../platform/answer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { newRulesParts } from './new-rules.ts';
import { listRulesBehind } from './queries.ts';
import { forgetRules, tiersOf } from './read-rules.ts';

const MAX_A_ROUND = 200;

/**
 * Rules hold in both modes of a merchant, whose books are two: the mode in which they were changed first, at once, and
 * the other right after it. What a crash cut off is taken up here, by any worker. Returns how many versions followed.
 */
export async function followRules(deps: { database: Database; ledger: Ledger; clock: Clock }): Promise<number> {
  const behind = await deps.database.query(listRulesBehind, [MAX_A_ROUND]);
  for (const row of behind) {
    const tenant = { merchantId: row.merchant_id, mode: row.mode };
    const tiers = tiersOf(row.tiers);
    const rules = { version: row.version, id: row.id, isEnabled: row.is_enabled, tiers };
    // Here they are in force from now on.
    const now = deps.clock.now();
    const { made_by: madeBy, approval_id: approvalId, operator, reason } = row;
    const made = { at: now, madeBy, approvalId, operator, reason };
    try {
      await deps.ledger.commit({
        tenant,
        id: newId(),
        occurredAt: now.toISOString(),
        ...newRulesParts(tenant, rules, made),
        answer: success('Success'),
      });
    } catch (error) {
      // Another worker was faster.
      if (!(error instanceof AppError && error.passing)) throw error;
    }
    forgetRules(deps.database, tenant);
  }
  return behind.length;
}
