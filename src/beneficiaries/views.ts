import { toNumber } from '../money/index.ts';
import type { PaidTotal } from '../transactions/index.ts';
import type { BeneficiaryRow } from './queries.ts';

export function beneficiaryView(row: BeneficiaryRow) {
  return {
    beneficiaryId: row.id,
    nickname: row.nickname,
    bankCode: row.bank_code,
    bankName: row.bank_name,
    accountNumber: row.account_number,
    accountName: row.account_name,
    status: row.status,
    approvalId: row.approval_id,
    createdAt: row.created_at.toISOString(),
  };
}

/** With what was paid to the account. */
export function beneficiaryDetailView(
  row: BeneficiaryRow,
  { payouts, amountMinor, isComplete, lastPaidAt }: PaidTotal,
) {
  return {
    ...beneficiaryView(row),
    paidPayouts: payouts,
    totalPaid: toNumber(amountMinor),
    totalIsExact: isComplete,
    lastPaidAt: lastPaidAt?.toISOString() ?? null,
  };
}
