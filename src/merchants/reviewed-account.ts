import type { Queries } from '../platform/db/database.ts';
import { type AcceptedAccountRow, listAcceptedAccounts } from './queries.ts';

/** The account that settlements go to, as the operator accepted it. */
export interface ReviewedAccount {
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
  /** When it was accepted in place of another; null for the first one that the merchant had. */
  changedAt: Date | null;
}

/**
 * The settlement account in the facts of the operator's last acceptance: what was looked at then, and not what the profile
 * says now. Undefined where nobody has accepted one.
 */
export async function readReviewedAccount(queries: Queries, merchantId: string): Promise<ReviewedAccount | undefined> {
  const accepted = await queries.query(listAcceptedAccounts, [merchantId]);
  const [last] = accepted;
  const { bank_code: bankCode, account_number: accountNumber } = last ?? {};
  if (last === undefined || !bankCode || !accountNumber) return undefined;
  const other = accepted.findIndex((row) => row.account_number !== accountNumber || row.bank_code !== bankCode);
  const since = accepted[other === -1 ? accepted.length - 1 : other - 1] ?? last;
  const isFirst = other === -1 || !accepted.slice(other).some(hasAccount);
  return {
    bankCode,
    bankName: last.bank_name ?? '',
    accountNumber,
    accountName: last.account_name ?? '',
    changedAt: isFirst ? null : since.created_at,
  };
}

const hasAccount = ({ bank_code, account_number }: AcceptedAccountRow): boolean =>
  Boolean(bank_code) && Boolean(account_number);
