import { write } from '../platform/db/statement.ts';
import { approvalStates } from './approval-state.ts';
import type { MovementParts } from './clearance.ts';
import { approvalMovedOn } from './errors.ts';
import { type ApprovalRow, type DecisionRow, insertDecisions, updateApprovalsGiven } from './queries.ts';
import type { EndedHow } from './subject.ts';
import { approvalEvent } from './views.ts';

/** One person's decision, with those that were there before it. */
export interface Decided {
  decision: DecisionRow;
  earlier: readonly DecisionRow[];
}

/**
 * The parts of an approval that one more person approves. Whoever takes a step names the one that they saw before it, so
 * of two at one moment the second looks again, and each counts.
 */
export function approvedParts(approval: ApprovalRow, { decision, earlier }: Decided, at: Date): MovementParts {
  const { merchant_id, mode, id } = approval;
  const given = approval.given + 1;
  const to = given === approval.needed ? 'APPROVED' : 'PENDING';
  const after: ApprovalRow = { ...approval, given, status: to, updated_at: at };
  return {
    uniqueKeys: [{ scope: 'APPROVAL_STEP', value: `${id}/${approval.given}`, taken: approvalMovedOn }],
    transitions: [transition(approval, to, null)],
    writes: [write(updateApprovalsGiven, { merchant_id, mode, id, given }), write(insertDecisions, decision)],
    events: [approvalEvent('approval.decided', after, [...earlier, decision])],
  };
}

/** The parts of an approval that ends otherwise; `reason` says why where the state does not. */
export function endedParts(
  approval: ApprovalRow,
  how: EndedHow,
  reason: string | null,
  at: Date,
  { decision, earlier }: Partial<Decided> = {},
): MovementParts {
  const after: ApprovalRow = { ...approval, status: how, reason, updated_at: at };
  const decisions = [...(earlier ?? []), ...(decision === undefined ? [] : [decision])];
  return {
    transitions: [transition(approval, how, reason)],
    writes: decision === undefined ? [] : [write(insertDecisions, decision)],
    events: [approvalEvent('approval.decided', after, decisions)],
  };
}

function transition({ id }: ApprovalRow, to: EndedHow | 'APPROVED' | 'PENDING', reason: string | null) {
  return { machine: approvalStates, id, from: ['PENDING'], to, reason, otherwise: approvalMovedOn };
}
