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
