import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type ApprovalDeps, endApproval, untilSettled } from './decide-approval.ts';
import { approvalClosed, notTheMaker } from './errors.ts';
import type { Maker } from './maker.ts';
import type { ApprovalRow } from './queries.ts';
import { requireApproval } from './require-approval.ts';

export interface WithdrawInput {
  tenant: Tenant;
  approvalId: string;
  maker: Maker;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Whoever made it takes it back: what was held is free again, a batch can be corrected.
 * @throws AppError 403 `NOT_THE_MAKER`; 404 `APPROVAL_NOT_FOUND`; 409 `APPROVAL_CLOSED`.
 */
export async function withdrawApproval(deps: ApprovalDeps, input: WithdrawInput): Promise<CommitResult> {
  const { tenant, idempotency, maker } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  return untilSettled(async () => {
    const approval = await requireApproval(deps.database, tenant, input.approvalId);
    if (!isMaker(approval, maker)) throw notTheMaker();
    if (approval.status !== 'PENDING') throw approvalClosed(approval.status);
    return endApproval(deps, approval, 'WITHDRAWN', null, idempotency);
  });
}

/** The person, or the same key again: a person may also take back what a key of theirs made. */
function isMaker(approval: ApprovalRow, { personId, keyId }: Maker): boolean {
  if (personId !== null && approval.made_by === personId) return true;
  return keyId !== null && approval.made_by_key === keyId;
}
