import { isFinal } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, listView, readList } from '../platform/lists/read-list.ts';
import { readListOf } from '../platform/lists/totals.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  listNumbersOfAccounts,
  listWalletAccounts,
  requireWallet,
  type VirtualAccountNumberRow,
  type VirtualAccountRow,
  virtualAccountStates,
  type WalletDirectory,
} from '../wallets/index.ts';
import { virtualAccountNotFound } from './errors.ts';
import {
  type AccountFilter,
  accountList,
  findVirtualAccount,
  type NotOpenFilter,
  type NotOpenRow,
  notOpenList,
} from './queries.ts';

/**
 * The account numbers of a wallet, and what is still being opened; none of its customers'. In the sandbox a wallet without
 * a provider has its generated number, which the sandbox's payer pays to.
 * @throws AppError `WALLET_NOT_FOUND`
 */
export async function readWalletAccounts(
  { database, wallets }: { database: Database; wallets: WalletDirectory },
  tenant: Tenant,
  walletId: string,
) {
  const wallet = await requireWallet(wallets, tenant, walletId);
  const [numbers, requests] = await Promise.all([
    wallets.listOpenNumbers(tenant, [wallet.id]),
    database.query(listWalletAccounts, [tenant.merchantId, tenant.mode, wallet.id]),
  ]);
  const { bankCode, bankName, accountNumber, accountName } = wallet;
  const generated = tenant.mode === 'SANDBOX' && numbers.length === 0;
  return {
    walletId: wallet.id,
    accounts: generated ? [{ bankCode, bankName, accountNumber, accountName }] : numbers.map(accountNumberView),
    requests: requests.map((request) =>
      virtualAccountView(
        request,
        numbers.filter((number) => number.virtual_account_id === request.id),
      ),
    ),
  };
}

/**
 * Accounts at providers, of wallets and of customers, newest first.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`, 422 `SEARCH_TOO_LONG`, 503 `SEARCHES_BUSY`
 */
export async function readAccounts(database: Database, tenant: Tenant, filter: AccountFilter, request: ListRequest) {
  const found = await readListOf(database, tenant.merchantId, { list: accountList(tenant, filter) }, request);
  const numbers = await readNumbersOf(database, tenant, found.rows);
  return listView(found, (row) => virtualAccountView(row, numbers.get(row.id) ?? []));
}

/** One of them. @throws AppError `VIRTUAL_ACCOUNT_NOT_FOUND` */
export async function readAccount(queries: Queries, tenant: Tenant, virtualAccountId: string) {
  const row = await requireAccount(queries, tenant, virtualAccountId);
  return virtualAccountView(row, (await readNumbersOf(queries, tenant, [row])).get(row.id) ?? []);
}

/** @throws AppError `VIRTUAL_ACCOUNT_NOT_FOUND` */
export async function requireAccount(
  queries: Queries,
  { merchantId, mode }: Tenant,
  virtualAccountId: string,
): Promise<VirtualAccountRow> {
  const [row] = await queries.query(findVirtualAccount, [merchantId, mode, virtualAccountId]);
  if (row === undefined) throw virtualAccountNotFound();
  return row;
}

/** The numbers of accounts, also of those that are closed, by account. */
export async function readNumbersOf(
  queries: Queries,
  { merchantId, mode }: Tenant,
  accounts: readonly Pick<VirtualAccountRow, 'id' | 'wallet_id'>[],
): Promise<Map<string, VirtualAccountNumberRow[]>> {
  const asked = [accounts.map(({ wallet_id }) => wallet_id), accounts.map(({ id }) => id)];
  const rows = accounts.length === 0 ? [] : await queries.query(listNumbersOfAccounts, [merchantId, mode, ...asked]);
  return Map.groupBy(rows, ({ virtual_account_id }) => virtual_account_id);
}

/** A provider opens an account within seconds. What takes longer than this is not only slow. */
const LONG_MS = 10 * 60_000;

/**
 * Account numbers of wallets of all merchants that a provider refused, or has not opened for ten minutes, in the order
 * in which they were requested.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readNotOpen(
  { database, clock }: { database: Database; clock: Clock },
  filter: NotOpenFilter,
  request: ListRequest,
): Promise<FoundList<NotOpenRow>> {
  return readList(database, notOpenList(filter, new Date(clock.now().getTime() - LONG_MS)), request);
}

/** An account number that anybody can pay to. */
function accountNumberView(row: VirtualAccountNumberRow) {
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
    conclusive: isFinal(virtualAccountStates, row.status),
    reason: row.reason,
    message: row.message,
    accounts: numbers.map(accountNumberView),
    mode: row.mode,
    requestedAt: row.requested_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
  };
}
