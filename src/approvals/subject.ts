import type { Cleared, MovementParts } from './clearance.ts';
import type { ApprovalKind, ApprovalRow } from './queries.ts';

/** How an approval ended without its effect. */
export type EndedHow = 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | 'VOID';

/**
 * What one kind of approval is for. Its parts commit in one movement with the approval's own state: both or neither.
 * Where the subject moved on meanwhile, its parts refuse with `approvalMovedOn`, and all is looked at again.
 */
export interface ApprovalSubject {
  /**
   * What the last approval puts into force.
   * @throws AppError `APPROVAL_DIGEST_MISMATCH` where it is no longer what was shown: then the approval is void. Any
   *   other refusal leaves the approval undecided, and the approver gets it.
   */
  approved(approval: ApprovalRow, cleared: Cleared, at: Date): Promise<MovementParts>;
  /** What becomes of it when it is not approved. */
  ended(approval: ApprovalRow, how: EndedHow, at: Date): Promise<MovementParts>;
  /** After the commit of what `approved` gave, such as waking the worker. */
  committed?(approval: ApprovalRow): Promise<void>;
}

export type ApprovalSubjects = Readonly<Record<ApprovalKind, ApprovalSubject>>;
