import { stateMachine } from '../ledger/index.ts';

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** Decided once. It stays `PENDING` while more people have to approve; `VOID`: what it was for has changed. */
export const approvalStates = stateMachine<ApprovalStatus>('approval', 'approvals', {
  PENDING: ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOID'],
  APPROVED: [],
  REJECTED: [],
  WITHDRAWN: [],
  EXPIRED: [],
  VOID: [],
});
