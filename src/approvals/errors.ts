import { AppError } from '../platform/errors.ts';
import type { ApprovalStatus } from './queries.ts';

export const approvalNotFound = () =>
  new AppError('not_found', 'APPROVAL_NOT_FOUND', 'There is no approval with this id.');

const ENDED: Record<ApprovalStatus, string> = {
  PENDING: 'It has run out',
  APPROVED: 'It has been approved',
  REJECTED: 'It has been rejected',
  WITHDRAWN: 'Its maker has withdrawn it',
  EXPIRED: 'Nobody decided in time, so it has run out',
  VOID: 'What it was for has changed, so it is void',
};

export const approvalClosed = (status: ApprovalStatus) =>
  new AppError('conflict', 'APPROVAL_CLOSED', `${ENDED[status]}. Nothing is left to decide.`);

export const approvalDigestMismatch = () =>
  new AppError(
    'conflict',
    'APPROVAL_DIGEST_MISMATCH',
    'This is not what you saw: something has changed since. Nothing was done; look at it again.',
  );

/** The service never changes it while it waits: somebody did so past the service. Only the operator can correct it. */
export const subjectAltered = () =>
  new AppError(
    'conflict',
    'APPROVAL_SUBJECT_ALTERED',
    'Its record is not what was put before you: it was changed behind the service. Nothing was done with it, and nothing ' +
      'will be before that is put right; the operator has been notified.',
  );

export const isSubjectAltered = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'APPROVAL_SUBJECT_ALTERED';

export const alreadyDecided = () =>
  new AppError('conflict', 'ALREADY_DECIDED', 'You have decided about this already. Each person counts once.');

export const selfApproval = () =>
  new AppError('forbidden', 'SELF_APPROVAL', 'You made this, so somebody else has to decide about it.');

export const deciderNotActive = () =>
  new AppError('forbidden', 'DECIDER_NOT_ACTIVE', 'You may no longer decide about approvals in this business.');

export const approverLeft = (name: string) =>
  new AppError(
    'conflict',
    'APPROVER_LEFT',
    `${name}, who approved this, may no longer decide about approvals, and that word counts no more. Reject it, and have it asked for anew.`,
  );

export const notTheMaker = () =>
  new AppError('forbidden', 'NOT_THE_MAKER', 'Only who made this can withdraw it. An approver can reject it.');

export const approversMissing = (needed: number, there: number) =>
  new AppError(
    'refused',
    'APPROVERS_MISSING',
    `These rules need ${needed} people who can decide, so that nobody has to approve what they made; there ${there === 1 ? 'is' : 'are'} ${there}. ` +
      'Invite approvers first.',
  );

export const rulesUnchanged = () =>
  new AppError('conflict', 'APPROVAL_RULES_UNCHANGED', 'These are the rules already. Nothing was done.');

export const changeWaits = (what: string) =>
  new AppError(
    'conflict',
    'APPROVAL_WAITS',
    `A change of ${what} waits for approval already. Have it decided or withdraw it first.`,
  );

/**
 * The rules changed between the read and the commit: the command reads them again. Returned only where this happens
 * again and again.
 */
export const approvalRulesChanged = () =>
  new AppError(
    'conflict',
    'APPROVAL_RULES_CHANGED',
    'The rules of approval changed at the same moment. Nothing was done. Please try again.',
    { retryable: true },
  );

/**
 * Another request took the next step first: the command reads again. Returned only where this happens again and again.
 */
export const approvalMovedOn = () =>
  new AppError(
    'conflict',
    'APPROVAL_MOVED_ON',
    'Somebody else decided at the same moment. Nothing was done. Please look at it again.',
    { retryable: true },
  );
