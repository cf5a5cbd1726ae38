import type { VirtualAccountNumberRow, VirtualAccountRow } from '../wallets/index.ts';

/** An account number that anybody can pay to. */
export function accountNumberView(row: VirtualAccountNumberRow) {
  return {
    bankCode: row.bank_code,
    bankName: row.bank_name,
    accountNumber: row.account_number,
    accountName: row.account_name,
  };
}

/** An account at a provider. What is not open has no numbers, and a reason. */
export function virtualAccountView(row: VirtualAccountRow, numbers: readonly VirtualAccountNumberRow[]) {
  return {
    virtualAccountId: row.id,
    walletId: row.wallet_id,
    customerId: row.customer_id,
    customerName: row.holder_name,
    status: row.status,
    reason: row.reason,
    message: row.message,
    accounts: numbers.map(accountNumberView),
    mode: row.mode,
    requestedAt: row.requested_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
  };
}
