import {
  type AlarmDeps,
  type ApprovalRow,
  type ApprovalSubject,
  approvalMovedOn,
  requireUnaltered,
} from '../approvals/index.ts';
import type { Database } from '../platform/db/database.ts';
import { askForBeneficiary, beneficiaryStep } from './beneficiary-parts.ts';
import { type BeneficiaryRow, findBeneficiary } from './queries.ts';

/** A beneficiary that waits for approval: its record is held against what was shown, whatever becomes of it. */
export function beneficiarySubject(deps: AlarmDeps & { database: Database }): ApprovalSubject {
  const { database } = deps;
  const requireWaiting = async (approval: ApprovalRow): Promise<BeneficiaryRow> => {
    const [row] = await database.query(findBeneficiary, [approval.merchant_id, approval.mode, approval.subject_id]);
    if (row === undefined) throw new Error(`approval ${approval.id} is of no beneficiary`);
    if (row.status !== 'PENDING_APPROVAL') throw approvalMovedOn();
    const asked = askForBeneficiary(row, new Date(row.created_at));
    requireUnaltered(deps, approval, { record: row, asked });
    return row;
  };
  return {
    async approved(approval, _cleared, at) {
      const row = await requireWaiting(approval);
      return beneficiaryStep(row, 'ACTIVE', { reason: null, at, otherwise: approvalMovedOn });
    },
    async ended(approval, how, at) {
      const row = await requireWaiting(approval);
      return beneficiaryStep(row, 'REMOVED', { reason: `APPROVAL_${how}`, at, otherwise: approvalMovedOn });
    },
  };
}
