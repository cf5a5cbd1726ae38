import { type EventDraft, isFinal } from '../ledger/index.ts';
import { toNumber, toNumberOrNull } from '../money/index.ts';
import { newId } from '../platform/ids.ts';
import type { Rules } from './approval-rules.ts';
import { type ApprovalRow, approvalStates, type DecisionRow } from './queries.ts';
import { type ShownLine, subjectTypeOf } from './shown-lines.ts';

/** An approval as everybody sees it, whatever their role. */
export function approvalView(approval: ApprovalRow, decisions: readonly DecisionRow[]) {
  const { amount_minor, charges_minor } = approval;
  return {
    approvalId: approval.id,
    kind: approval.kind,
    subjectType: subjectTypeOf(approval.kind),
    subjectId: approval.subject_id,
    title: approval.title,
    amount: toNumberOrNull(amount_minor),
    charges: toNumberOrNull(charges_minor),
    total: amount_minor === null ? null : toNumber(amount_minor + (charges_minor ?? 0n)),
    currency: approval.currency,
    digest: approval.digest,
    shown: JSON.parse(approval.shown) as ShownLine[],
    status: approval.status,
    conclusive: isFinal(approvalStates, approval.status),
    reason: approval.reason,
    needed: approval.needed,
    given: approval.given,
    madeBy: { personId: approval.made_by, name: approval.made_by_name, via: approval.made_via },
    madeAt: approval.made_at.toISOString(),
    expiresAt: approval.expires_at.toISOString(),
    decisions: decisions.map((decision) => ({
      decision: decision.decision,
      by: { personId: decision.person_id, name: decision.person_name },
      note: decision.note,
      at: decision.decided_at.toISOString(),
    })),
  };
}

/** For the movement that changes it: the approval as it is afterwards. */
export function approvalEvent(
  type: 'approval.requested' | 'approval.decided',
  approval: ApprovalRow,
  decisions: readonly DecisionRow[],
): EventDraft {
  return { id: newId(), type, subjectId: approval.id, data: JSON.stringify(approvalView(approval, decisions)) };
}

export function rulesView({ isEnabled, tiers, version }: Rules) {
  return {
    isMakerCheckerEnabled: isEnabled,
    version,
    rules: tiers.map(({ fromMinor, approvals }) => ({ fromAmount: toNumber(fromMinor), approvals })),
  };
}
