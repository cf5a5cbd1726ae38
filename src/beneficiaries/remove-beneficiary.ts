import { approvalMovedOn, joinParts, untilSettled, voidApproval } from '../approvals/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type BeneficiaryDeps, beneficiaryStep } from './add-beneficiary.ts';
import { beneficiaryNotFound, beneficiaryRemoved } from './errors.ts';
import { findBeneficiary } from './queries.ts';

interface RemoveBeneficiaryInput {
  tenant: Tenant;
  beneficiaryId: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Takes a beneficiary out of the list, at once; an approval that it waits for dies with it. Payouts to the account stay
 * as they are.
 * @throws AppError 404 `BENEFICIARY_NOT_FOUND`; 409 `BENEFICIARY_ALREADY_REMOVED`.
 */
export async function removeBeneficiary(
  deps: Pick<BeneficiaryDeps, 'database' | 'ledger' | 'clock'>,
  { tenant, beneficiaryId, idempotency }: RemoveBeneficiaryInput,
): Promise<CommitResult> {
  return untilSettled(async () => {
    const { merchantId, mode } = tenant;
    const [row] = await deps.database.query(findBeneficiary, [merchantId, mode, beneficiaryId]);
    if (row === undefined) throw beneficiaryNotFound();
    if (row.status === 'REMOVED') throw beneficiaryRemoved();
    const at = deps.clock.now();
    const waits = row.status === 'PENDING_APPROVAL' ? row.approval_id : null;
    const voided = await voidApproval(deps.database, tenant, waits, 'BENEFICIARY_REMOVED', at);
    const removed = beneficiaryStep(row, 'REMOVED', { reason: null, at, otherwise: approvalMovedOn });
    return deps.ledger.commit({
      tenant,
      id: row.id,
      occurredAt: at.toISOString(),
      idempotency,
      ...joinParts(removed, voided),
      answer: { message: 'Beneficiary removed' },
    });
  });
}
