import type { Database, Queries } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import { listLastPaid, sumPaidToAccount, transactionList } from './list-queries.ts';
import { detailedView, type TransactionDetails } from './views.ts';

/** An account at a bank of the directory. */
export interface PaidAccount {
  bankCode: string;
  accountNumber: string;
}

/** So many payouts are added up, in 30 ms. An account with more gets a figure that says so. */
const MOST_ADDED_UP = 10_000;
/**
 * So many payouts are looked through for the last paid one. An account with more failures in a row was not paid lately.
 */
const MOST_LOOKED_THROUGH = 50;

/** The sum of payouts to an account, without reversed ones. */
export interface PaidTotal {
  payouts: number;
  amountMinor: bigint;
  lastPaidAt: Date | null;
  /** False where older payouts are left out. */
  isComplete: boolean;
}

/**
 * Payouts of the merchant to one account, newest first, however they were made: singles, schedules, items of batches.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readPayoutsTo(
  { database, details }: { database: Pick<Database, 'reading'>; details: TransactionDetails },
  tenant: Tenant,
  account: PaidAccount,
  request: ListRequest,
) {
  const list = transactionList(tenant, { category: 'PAYOUT', ...account }, details);
  const found = await readListOf(database, tenant.merchantId, { list }, request);
  return listView(found, (row) => detailedView(row, details));
}

/** The sum of the newest 10,000 payouts to an account, counting those that are paid now. */
export async function readPaidTotal(
  queries: Queries,
  { merchantId, mode }: Tenant,
  { bankCode, accountNumber }: PaidAccount,
): Promise<PaidTotal> {
  const values = [merchantId, mode, bankCode, accountNumber, MOST_ADDED_UP + 1];
  const [row] = await queries.query(sumPaidToAccount, values);
  if (row === undefined) throw new Error('a sum has no row');
  const { paid, paid_minor, last_paid_at, seen } = row;
  return { payouts: paid, amountMinor: paid_minor, lastPaidAt: last_paid_at, isComplete: seen <= MOST_ADDED_UP };
}

/** When each of a few accounts was paid last; null where none of the newest 50 payouts to it is paid. */
export async function readLastPaid(
  queries: Queries,
  { merchantId, mode }: Tenant,
  accounts: readonly PaidAccount[],
): Promise<(account: PaidAccount) => Date | null> {
  if (accounts.length === 0) return () => null;
  const column = (of: (account: PaidAccount) => string) => arrayOf('text', accounts.map(of));
  const banks = column(({ bankCode }) => bankCode);
  const numbers = column(({ accountNumber }) => accountNumber);
  const rows = await queries.query(listLastPaid, [merchantId, mode, banks, numbers, MOST_LOOKED_THROUGH]);
  const nameOf = (bankCode: string, accountNumber: string) => `${bankCode}:${accountNumber}`;
  const found = new Map(rows.map((row) => [nameOf(row.bank_code, row.account_number), row.last_paid_at]));
  return ({ bankCode, accountNumber }) => found.get(nameOf(bankCode, accountNumber)) ?? null;
}
