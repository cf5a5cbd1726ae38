export { approvalDeps } from './approval-deps.ts';
export { approversNeeded, createKnownRules, FOR_EVER_MS, type KnownRules } from './approval-rules.ts';
export { approvalStates } from './approval-state.ts';
export { checkApprovals } from './check-approvals.ts';
export {
  type Clearance,
  type ClearanceDeps,
  type Cleared,
  clearedByDispatch,
  type Held,
  joinParts,
  type MovementParts,
  requireCleared,
  withClearance,
} from './clearance.ts';
export { type ApprovalDeps, untilSettled } from './decide-approval.ts';
export { approvalDigestMismatch, approvalMovedOn, changeWaits, isSubjectAltered } from './errors.ts';
export { approvalEvents } from './events.ts';
export { followRules } from './follow-rules.ts';
export { type Maker, makerOf } from './maker.ts';
export type { ApprovalRow } from './queries.ts';
export { countToDecide } from './read-approvals.ts';
export {
  type ApprovalRequest,
  decisionsOf,
  findApprovalOf,
  requestApproval,
  voidApproval,
} from './request-approval.ts';
export { approvalRoutes } from './routes.ts';
export { switchApprovalsOff } from './rules-subject.ts';
export { type ShownLine, shownLine } from './shown-lines.ts';
export type { ApprovalSubject, ApprovalSubjects, EndedHow } from './subject.ts';
export { type AlarmDeps, alarmAltered, type Content, contentOf, requireUnaltered } from './unaltered.ts';
export { approvalAdvanceWrites, expireApprovals } from './withdraw-approval.ts';
