import type { Database } from '../../platform/db/database.ts';
import { approvalDigestMismatch } from '../errors.ts';
import type { ApprovalRow } from '../queries.ts';
import type { ApprovalSubject } from '../subject.ts';
import { newRulesParts } from './new-rules.ts';
import { RULES_WAIT, readRulesNow, tiersOf } from './read-rules.ts';
import { requireDeciders } from './standing.ts';

interface RulesPayload {
  /** The rules that it was shown to replace. */
  instead: string;
  isEnabled: boolean;
  tiers: string;
}

/**
 * A change of the rules, approved by as many as the strictest of them asks.
 * @param committed what is to be done once new rules are in force.
 */
export function rulesSubject(
  { database }: { database: Database },
  committed: (approval: ApprovalRow) => Promise<void>,
): ApprovalSubject {
  return {
    async approved(approval, _cleared, at) {
      const { instead, isEnabled, tiers } = JSON.parse(approval.payload) as RulesPayload;
      const tenant = tenantOf(approval);
      const before = await readRulesNow(database, tenant);
      if (before.id !== instead) throw approvalDigestMismatch();
      const rules = { version: before.version + 1, id: approval.subject_id, isEnabled, tiers: tiersOf(tiers) };
      // Somebody may have left since it was asked for.
      await requireDeciders(database, tenant.merchantId, rules);
      const made = { at, madeBy: approval.made_by, approvalId: approval.id };
      const parts = newRulesParts(tenant, rules, made);
      return { ...parts, unmarks: [{ ...RULES_WAIT, subjectId: approval.id }] };
    },
    ended: async (approval) => ({ unmarks: [{ ...RULES_WAIT, subjectId: approval.id }] }),
    committed,
  };
}

const tenantOf = ({ merchant_id, mode }: ApprovalRow) => ({ merchantId: merchant_id, mode });
