import { makerCheckerWrite } from '../merchants/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { RULES_IN_FORCE, type Rules, tiersText } from './approval-rules.ts';
import type { MovementParts } from './clearance.ts';
import { approvalRulesChanged } from './errors.ts';
import { insertApprovalRules } from './rule-queries.ts';
import { rulesView } from './views.ts';

/** Who put a version into force: a person, or the operator, who says why. */
export interface RulesMadeBy {
  at: Date;
  madeBy: string | null;
  approvalId: string | null;
  operator?: string | null;
  reason?: string | null;
}

/** The next version, for the movement that puts it into force. Of two changes at once the second looks again. */
export function newRulesParts({ merchantId, mode }: Tenant, rules: Rules, made: RulesMadeBy): MovementParts {
  const { operator = null, reason = null } = made;
  return {
    uniqueKeys: [{ scope: 'APPROVAL_RULES_VERSION', value: String(rules.version), taken: approvalRulesChanged }],
    reservations: [{ ...RULES_IN_FORCE, subjectId: rules.id, withinMs: null, seen: approvalRulesChanged }],
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
