import { findSystemAccounts, type SystemAccounts } from '../ledger/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { arraysByMerchant, type Statement } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import { accountNumberAmbiguous, noWalletOfNumber, walletNotFound } from './errors.ts';
import {
  type ChildRow,
  type FoundWallet,
  findWallet,
  findWalletByNumber,
  findWalletByOwner,
  listWalletsOfNumber,
  type WalletRow,
} from './queries.ts';
import { listOpenNumbers, type VirtualAccountNumberRow } from './virtual-account-queries.ts';

/** Tenants whose accounts are cached. These rows never change, so nothing has to be dropped in time. */
const MAX_REMEMBERED = 50_000;

/** The facts of a wallet that never change. Its id is the id of its account in the ledger. */
export interface Wallet {
  id: string;
  bankCode: string;
  bankName: string;
  accountName: string;
  accountNumber: string;
  createdAt: string;
}

export interface TenantAccounts extends SystemAccounts {
  wallet: Wallet;
}

export interface WalletDirectory {
  /** The merchant's main wallet and the tenant's system accounts. */
  requireTenantAccounts(tenant: Tenant): Promise<TenantAccounts>;
  findWallet(tenant: Tenant, walletId: string): Promise<Wallet | undefined>;
  /**
   * The wallet with this account number; undefined for a number of another merchant, of the other mode, or of nobody.
   */
  findWalletByNumber(tenant: Tenant, accountNumber: string): Promise<Wallet | undefined>;
  /**
   * The numbers of the tenant's wallets that can be paid to now, the oldest first. Callers at the same moment share one
   * statement.
   */
  listOpenNumbers(tenant: Tenant, walletIds: readonly string[]): Promise<VirtualAccountNumberRow[]>;
  /** Wallets of several merchants as their payers see them, each with the facts that it has here; one statement. */
  showPayable(asked: readonly ShownWallet[]): Promise<Wallet[]>;
}

/** A wallet and its merchant. */
export interface ShownWallet {
  tenant: Tenant;
  wallet: Wallet;
}

export function createWalletDirectory(database: Database): WalletDirectory {
  const tenants = createLruMap<TenantAccounts>(MAX_REMEMBERED);
  const wallets = createLruMap<Wallet>(MAX_REMEMBERED);

  return {
    async requireTenantAccounts(tenant) {
      const key = tenantKey(tenant);
      const known = tenants.get(key);
      if (known !== undefined) return known;
      const [[row], system] = await Promise.all([
        database.query(findWalletByOwner, [tenant.merchantId, tenant.mode, tenant.merchantId]),
        findSystemAccounts(database, tenant),
      ]);
      if (row === undefined) throw new Error(`${tenant.merchantId} has no wallet in ${tenant.mode}`);
      const accounts = { ...system, wallet: walletOf(row) };
      tenants.set(key, accounts);
      return accounts;
    },
    async findWallet(tenant, walletId) {
      const key = `${tenantKey(tenant)}/${walletId}`;
      const known = wallets.get(key);
      if (known !== undefined) return known;
      const [row] = await database.query(findWallet, [tenant.merchantId, tenant.mode, walletId]);
      if (row === undefined) return undefined;
      const wallet = walletOf(row);
      wallets.set(key, wallet);
      return wallet;
    },
    async findWalletByNumber(tenant, accountNumber) {
      const [row] = await database.query(findWalletByNumber, [tenant.merchantId, tenant.mode, accountNumber]);
      return row && walletOf(row);
    },
    listOpenNumbers: createNumberReader(database),
    async showPayable(asked) {
      const numbersOf = await readOpenNumbers(
        database,
        new Map(asked.map(({ tenant, wallet }) => [wallet.id, tenant])),
      );
      return asked.map(({ tenant, wallet }) =>
        asPayable(
          wallet,
          tenant,
          numbersOf.get(wallet.id)?.find((number) => isOf(tenant, number)),
        ),
      );
    },
  };
}

function createNumberReader(database: Database): WalletDirectory['listOpenNumbers'] {
  const read = createGroupReader(async (asked: { tenant: Tenant; walletIds: readonly string[] }[]) => {
    const wallets = new Map(asked.flatMap(({ tenant, walletIds }) => walletIds.map((id) => [id, tenant] as const)));
    const numbersOf = await readOpenNumbers(database, wallets);
    return asked.map(({ tenant, walletIds }) =>
      walletIds.flatMap((id) => (numbersOf.get(id) ?? []).filter((number) => isOf(tenant, number))),
    );
  });
  return (tenant, walletIds) => read({ tenant, walletIds });
}

/** @param wallets each wallet's tenant. @returns their open numbers, the oldest of a wallet first */
async function readOpenNumbers(
  database: Database,
  wallets: ReadonlyMap<string, Tenant>,
): Promise<Map<string, VirtualAccountNumberRow[]>> {
  const values = arraysByMerchant(
    [...wallets],
    ([, { merchantId }]) => merchantId,
    ['text', ([, { mode }]) => mode],
    ['uuid', ([id]) => id],
  );
  return Map.groupBy(await database.query(listOpenNumbers, values), ({ wallet_id }) => wallet_id);
}

const isOf = ({ merchantId, mode }: Tenant, row: VirtualAccountNumberRow) =>
  row.merchant_id === merchantId && row.mode === mode;

/** @throws AppError `WALLET_NOT_FOUND` */
export async function requireWallet(wallets: WalletDirectory, tenant: Tenant, walletId: string): Promise<Wallet> {
  const wallet = await wallets.findWallet(tenant, walletId);
  if (wallet === undefined) throw walletNotFound();
  return wallet;
}

/** The wallet that a request names, or the merchant's main wallet. @throws AppError `WALLET_NOT_FOUND` */
export async function requireWalletId(
  wallets: WalletDirectory,
  tenant: Tenant,
  walletId: string | undefined,
): Promise<string> {
  if (walletId === undefined) return (await wallets.requireTenantAccounts(tenant)).wallet.id;
  return (await requireWallet(wallets, tenant, walletId)).id;
}

export function walletOf(row: WalletRow): Wallet {
  return {
    id: row.id,
    bankCode: row.bank_code,
    bankName: row.bank_name,
    accountName: row.account_name,
    accountNumber: row.account_number,
    createdAt: row.created_at.toISOString(),
  };
}

/** A store or subaccount: it has a name and a wallet of its own beside the merchant's. */
export interface Child {
  id: string;
  name: string;
  wallet: Wallet;
  createdAt: string;
}

/** Finds a child by its id. @throws AppError not found, also for another merchant's child and one of another mode. */
export type RequireChild = (tenant: Tenant, id: string) => Promise<Child>;

/** Children of one kind by id, cached: their name and wallet never change. */
export function createChildDirectory(
  deps: { database: Database; wallets: WalletDirectory },
  kind: { find: Statement<ChildRow>; notFound: () => AppError },
): RequireChild {
  const children = createLruMap<Child>(MAX_REMEMBERED);
  return async (tenant, id) => {
    const key = `${tenantKey(tenant)}/${id.toLowerCase()}`;
    const known = children.get(key);
    if (known !== undefined) return known;
    const [row] = await deps.database.query(kind.find, [tenant.merchantId, tenant.mode, id]);
    if (row === undefined) throw kind.notFound();
    const wallet = await deps.wallets.findWallet(tenant, row.wallet_id);
    if (wallet === undefined) throw new Error(`${row.id} has no wallet`);
    const child = { id: row.id, name: row.name, wallet, createdAt: row.created_at.toISOString() };
    children.set(key, child);
    return child;
  };
}

/**
 * Wallets as their payers see them: with the first account number at their provider. A sandbox wallet without one has
 * its generated number, which the sandbox's payer pays to. A live wallet has none then: nobody could pay to it.
 */
export async function payableWallets(
  directory: Pick<WalletDirectory, 'listOpenNumbers'>,
  tenant: Tenant,
  wallets: readonly Wallet[],
): Promise<Wallet[]> {
  const ids = wallets.map(({ id }) => id);
  const numbers = await directory.listOpenNumbers(tenant, ids);
  const firstOf = new Map<string, VirtualAccountNumberRow>();
  for (const number of numbers) if (!firstOf.has(number.wallet_id)) firstOf.set(number.wallet_id, number);
  return wallets.map((wallet) => asPayable(wallet, tenant, firstOf.get(wallet.id)));
}

/** The same for one wallet. @param number its first open one; a new wallet has none yet */
export function asPayable(wallet: Wallet, { mode }: Tenant, number: VirtualAccountNumberRow | undefined): Wallet {
  if (number !== undefined) {
    const { bank_code, bank_name: bankName, account_name: accountName, account_number: accountNumber } = number;
    return { ...wallet, bankCode: bank_code ?? '', bankName, accountName, accountNumber };
  }
  return mode === 'SANDBOX' ? wallet : { ...wallet, bankCode: '', bankName: '', accountNumber: '' };
}

/** An account number as the operator enters it. */
export interface AskedNumber {
  accountNumber: string;
  mode: Mode;
  /** The bank that gave the number: needed where two wallets have it, at two banks. */
  bankCode?: string | undefined;
  /** Only among the wallets of this merchant. */
  merchantId?: string | undefined;
}

/**
 * The wallet of any merchant that an account number leads to: for the operator's people alone. The number is our own,
 * or one that a provider gave and that is open. Where it leads to two wallets, none is picked.
 * @throws AppError 404 `WALLET_NOT_FOUND`; 409 `ACCOUNT_NUMBER_AMBIGUOUS`.
 */
export async function requireWalletByNumber(
  queries: Queries,
  { accountNumber, mode, bankCode, merchantId }: AskedNumber,
): Promise<FoundWallet> {
  const asked = [accountNumber, mode, bankCode ?? null, merchantId ?? null];
  const [wallet, second] = await queries.query(listWalletsOfNumber, asked);
  if (wallet === undefined) throw noWalletOfNumber();
  if (second !== undefined) throw accountNumberAmbiguous();
  return wallet;
}
