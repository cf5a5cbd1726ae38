import type { Ledger, MovementParts } from '../ledger/index.ts';
import { makerCheckerWrite } from '../merchants/index.ts';
import { success } from '../platform/answer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { type KnownRules, RULES_IN_FORCE, type Rules, tiersOf, tiersText } from './approval-rules.ts';
import { approvalRulesChanged } from './errors.ts';
import { insertApprovalRules, listRulesBehind, listRulesBehindOf, type RulesRow } from './rule-queries.ts';
import { rulesView } from './views.ts';

/** In one run; the rest has its turn in the next. */
const MAX_A_RUN = 200;

interface FollowDeps {
  database: Database;
  approvalRules: KnownRules;
  ledger: Ledger;
  clock: Clock;
}

/**
 * Puts rules into force in both modes of a merchant, which have separate books: first in the mode in which they were
 * changed, and right after it in the other. What a crash cut off, any worker completes with `followRules`.
 */
export async function followRulesOf(deps: FollowDeps, merchantId: string): Promise<void> {
  for (const row of await deps.database.query(listRulesBehindOf, [merchantId])) await follow(deps, row);
}

/** Puts rules into force that one mode lacks, for all merchants. @returns how many versions were added. */
export async function followRules(
  deps: FollowDeps & { jobs: JobMonitor },
  mode: Mode,
  stopped?: AbortSignal,
): Promise<number> {
  const failures = deps.jobs.failuresOf('approvals.rules');
  const lagging = await deps.database.query(listRulesBehind, [mode, failures.backingOffKeys(), MAX_A_RUN]);
  return takeTurns<RulesRow>(lagging, {
    failures,
    stopped,
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
  // In this mode they are in force from now on.
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

/** Who put a version into force: a person, or the operator, who gives a reason. */
export interface RulesMadeBy {
  at: Date;
  madeBy: string | null;
  approvalId: string | null;
  operator?: string | null;
  reason?: string | null;
}

/** The next version, for the movement that puts it into force. Of two changes at once the second is repeated. */
export function newRulesParts({ merchantId, mode }: Tenant, rules: Rules, made: RulesMadeBy): MovementParts {
  const { operator = null, reason = null } = made;
  return {
    uniqueKeys: [{ scope: 'APPROVAL_RULES_VERSION', value: String(rules.version), refusal: approvalRulesChanged }],
    reservations: [{ ...RULES_IN_FORCE, subjectId: rules.id, withinMs: null, refusal: approvalRulesChanged }],
    writes: [
      write(insertApprovalRules, {
        merchant_id: merchantId,
        mode,
        version: rules.version,
        id: rules.id,
        is_enabled: rules.isEnabled,
        tiers: tiersText(rules.tiers),
        approval_id: made.approvalId,
        made_by: made.madeBy,
        made_at: made.at,
        operator,
        reason,
      }),
      makerCheckerWrite(merchantId, rules.id, rules.isEnabled),
    ],
    events: [
      {
        id: newId(),
        type: 'approval.rules_changed',
        subjectId: merchantId,
        data: JSON.stringify({ ...rulesView(rules), reason }),
      },
    ],
  };
}
