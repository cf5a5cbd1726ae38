import { toNumber } from '../money/index.ts';
import { lagosTime } from '../platform/clock.ts';
import { jsonText } from '../platform/json-text.ts';
import type { Mode } from '../platform/tenant.ts';
import { referenceOf, type TransactionRow } from '../transactions/index.ts';
import { type Child, type ChildBalance, childWalletView } from '../wallets/index.ts';

export function subaccountView(mode: Mode, subaccount: Child, balance: ChildBalance) {
  return { subaccountId: subaccount.id, name: subaccount.name, ...childWalletView(mode, subaccount, balance) };
}

/**
 * The Subaccount credit transaction of the interface, with exactly its fields. For a debit the same fields the other
 * way round: the account is the merchant wallet's, the sender is the subaccount.
 */
export function subaccountTransferView(row: TransactionRow) {
  return {
    accountName: row.beneficiary_account_name,
    accountNumber: row.beneficiary_account_number,
    amount: toNumber(row.amount_minor),
    category: row.category,
    charge: toNumber(row.charges_minor),
    destinationInstitutionCode: row.beneficiary_bank_code,
    merchantId: row.merchant_id,
    metadata: row.metadata === null ? {} : jsonText(row.metadata),
    mode: row.mode,
    narration: row.narration,
    paidAt: lagosTime(row.paid_at ?? row.created_at),
    senderAccountName: row.originator_account_name,
    senderAccountNumber: row.originator_account_number,
    senderBankName: row.originator_bank_name,
    settledAmount: toNumber(row.amount_minor),
    status: row.status,
    totalAmount: toNumber(row.amount_minor + row.charges_minor),
    transactionId: row.id,
    transactionReference: row.client_reference ?? referenceOf(row.id),
    walletId: row.wallet_id,
  };
}
