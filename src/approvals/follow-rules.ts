import type { Ledger } from '../ledger/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, tenantKey, tenantOf } from '../platform/tenant.ts';
import { type KnownRules, tiersOf } from './approval-rules.ts';
import { newRulesParts } from './new-rules.ts';
import { listRulesBehind, listRulesBehindOf, type RulesRow } from './rule-queries.ts';

/** In one run; the rest has its turn in the next. */
const MAX_A_RUN = 200;

interface FollowDeps {
  database: Database;
  approvalRules: KnownRules;
  ledger: Ledger;
  clock: Clock;
}

/**
 * Rules hold in both modes of a merchant, whose books are two: the mode in which they were changed first, at once, and
 * the other right after it. What a crash cut off, any worker takes up with `followRules`.
 */
export async function followRulesOf(deps: FollowDeps, merchantId: string): Promise<void> {
  for (const row of await deps.database.query(listRulesBehindOf, [merchantId])) await follow(deps, row);
}

/**
 * What is behind in one mode, of all merchants.
 * @returns how many versions followed.
 */
export async function followRules(deps: FollowDeps & { jobs: JobMonitor }, mode: Mode): Promise<number> {
  const failures = deps.jobs.failuresOf('approvals.rules');
  const behind = await deps.database.query(listRulesBehind, [mode, failures.backingOffKeys(), MAX_A_RUN]);
  return takeTurns<RulesRow>(behind, {
    failures,
    tenantOf,
    keyOf: (row) => tenantKey(tenantOf(row)),
    take: async (row) => {
      await follow(deps, row);
      return 1;
    },
    aboutOf: (row) => ({ message: 'approval rules could not be followed', ...tenantOf(row) }),
  });
}

async function follow(deps: FollowDeps, row: RulesRow): Promise<void> {
  const tenant = tenantOf(row);
  const rules = { version: row.version, id: row.id, isEnabled: row.is_enabled, tiers: tiersOf(row.tiers) };
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
    if (!(error instanceof AppError && error.retryable)) throw error;
  }
  deps.approvalRules.forget(tenant);
}
