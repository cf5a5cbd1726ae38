import { type ApprovalRequest, contentOf, FOR_EVER_MS, type MovementParts } from '../approvals/index.ts';
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

export type NewBeneficiary = Omit<BeneficiaryRow, 'status' | 'approval_id' | 'rules_version'>;

/** What is the service's to change while it waits. */
const FREE: ReadonlySet<string> = new Set(['status', 'reason', 'updated_at', 'approval_id', 'rules_version']);

/** What people are asked about a beneficiary, from its record: the same again, as long as nobody alters it. */
export function askForBeneficiary(row: NewBeneficiary, at: Date): ApprovalRequest {
  return {
    subjectId: row.id,
    title: `Add ${row.account_name} as a beneficiary`,
    amountMinor: null,
    chargesMinor: null,
    shown: [
      { label: 'Account name', value: row.account_name },
      { label: 'Bank', value: row.bank_name },
      { label: 'Account number', value: row.account_number },
      ...(row.nickname === null ? [] : [{ label: 'Nickname', value: row.nickname }]),
    ],
    payload: { content: contentOf(row, FREE) },
    at,
  };
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
