import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { endedParts } from './end-approval.ts';
import { approvalMovedOn, approvalNotFound } from './errors.ts';
import type { MovementParts } from './parts.ts';
import { type ApprovalRow, type DecisionRow, findApproval, findApprovalOfSubject, listDecisions } from './queries.ts';

/** @throws AppError `APPROVAL_NOT_FOUND`, for another merchant's and another mode's too. */
export async function requireApproval(queries: Queries, tenant: Tenant, id: string): Promise<ApprovalRow> {
  const [approval] = await queries.query(findApproval, [tenant.merchantId, tenant.mode, id]);
  if (approval === undefined) throw approvalNotFound();
  return approval;
}

/** The last approval that was asked for about something, however it ended; undefined where none ever was. */
export async function findApprovalOf(
  queries: Queries,
  { merchantId, mode }: Tenant,
  subjectId: string,
): Promise<ApprovalRow | undefined> {
  const [approval] = await queries.query(findApprovalOfSubject, [merchantId, mode, subjectId]);
  return approval;
}

export function decisionsOf(queries: Queries, { merchant_id, mode, id }: ApprovalRow): Promise<DecisionRow[]> {
  return queries.query(listDecisions, [merchant_id, mode, [id]]);
}

/**
 * For a movement that changes what waits for approval: the approval dies with it. Nothing where it has none that waits.
 * Should somebody decide at the same moment, the movement is refused with `APPROVAL_MOVED_ON`, and has to look again.
 */
export async function voidApproval(
  queries: Queries,
  tenant: Tenant,
  approvalId: string | null,
  reason: string,
  at: Date,
): Promise<MovementParts> {
  if (approvalId === null) return {};
  const approval = await requireApproval(queries, tenant, approvalId);
  if (approval.status !== 'PENDING') throw approvalMovedOn();
  return endedParts(approval, 'VOID', reason, at, { earlier: await decisionsOf(queries, approval) });
}
