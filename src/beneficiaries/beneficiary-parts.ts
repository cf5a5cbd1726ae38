import { FOR_EVER_MS, type MovementParts } from '../approvals/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { type BeneficiaryStatus, beneficiaryStates } from './beneficiary-state.ts';
import type { BeneficiaryRow } from './queries.ts';
import { beneficiaryView } from './views.ts';

export const ACCOUNT_SCOPE = 'BENEFICIARY_ACCOUNT';
export const FOR_EVER = FOR_EVER_MS;

export const accountOf = ({ bank_code, account_number }: BeneficiaryRow) => `${bank_code}:${account_number}`;

export function told(type: string, row: BeneficiaryRow): EventDraft {
  return { id: newId(), type, subjectId: row.id, data: JSON.stringify(beneficiaryView(row)) };
}

/** One step of a beneficiary; one that is removed makes room for the same account. */
export function beneficiaryStep(
  row: BeneficiaryRow,
  to: 'ACTIVE' | 'REMOVED',
  { reason, at, otherwise }: { reason: string | null; at: Date; otherwise: (actual: string | undefined) => AppError },
): MovementParts {
  const after: BeneficiaryRow = { ...row, status: to, reason, updated_at: at.toISOString() };
  const from: BeneficiaryStatus[] = [row.status];
  return {
    unmarks: to === 'REMOVED' ? [{ scope: ACCOUNT_SCOPE, value: accountOf(row), subjectId: row.id }] : [],
    transitions: [{ machine: beneficiaryStates, id: row.id, from, to, reason, otherwise }],
    events: [told(to === 'ACTIVE' ? 'beneficiary.added' : 'beneficiary.removed', after)],
  };
}
