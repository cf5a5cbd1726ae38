export { approversNeeded, createKnownRules, FOR_EVER_MS, type KnownRules } from './approval-rules.ts';
export {
  type ApprovalSubject,
  type ApprovalSubjects,
  type Clearance,
  type ClearanceDeps,
  type Cleared,
  clearedByDispatch,
  clearedByRefundRule,
  clearedByReview,
  type EndedHow,
  type Held,
  type Maker,
  makerOf,
  requireCleared,
  withClearance,
} from './clearance.ts';
export { type ApprovalDeps, approvalAdvanceWrites, expireApprovals, untilSettled } from './decide-approval.ts';
export { approvalDigestMismatch, approvalMovedOn, changeWaits, isSubjectAltered } from './errors.ts';
export { followRules } from './follow-rules.ts';
export { type ApprovalRow, approvalStates, EXPIRED_APPROVALS } from './queries.ts';
export { countToDecide } from './read-approvals.ts';
export {
  type ApprovalRequest,
  decisionsOf,
  findApprovalOf,
  requestApproval,
  voidApproval,
} from './request-approval.ts';
export { approvalRoutes } from './routes.ts';
export { approvalDeps, switchApprovalsOff } from './rules-subject.ts';
export { approvalEvents } from './schemas.ts';
export { type ShownLine, shownLine } from './shown-lines.ts';
export {
  type AlarmDeps,
  alarmAltered,
  type Content,
  checkApprovals,
  contentOf,
  requireUnaltered,
} from './unaltered.ts';
