import type { Database } from '../platform/db/database.ts';
import { arraysByMerchant } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { Tenant } from '../platform/tenant.ts';
import { availableMinor, bookedMinor } from './decide.ts';
import { type AccountRow, findBalances, findWalletTotals } from './queries.ts';

/** Minor units of `currency`. Booked counts what is posted; available is booked less what pending transfers hold. */
export interface Balance {
  accountId: string;
  bookedMinor: bigint;
  availableMinor: bigint;
  currency: AccountRow['currency'];
}

/** A merchant's main wallet and its subaccounts, read at one moment, so that their sum is exact. */
export interface WalletTotal {
  wallet: Balance;
  subaccounts: { accounts: number; bookedMinor: bigint };
}

export interface BalanceReader {
  /** @throws Error when the tenant has no such account: callers hold ids that came from the tenant's own rows. */
  readBalance(tenant: Tenant, accountId: string): Promise<Balance>;
  /** The balances of several accounts at one moment, in the order of the ids. @throws Error as `readBalance` */
  readBalances(tenant: Tenant, accountIds: readonly string[]): Promise<Balance[]>;
  /** Of several merchants by one statement, in the order asked. @throws Error as `readBalance` */
  readWalletTotals(asked: readonly AskedWallet[]): Promise<WalletTotal[]>;
}

/** A merchant's wallet, by the id of its account. */
export interface AskedWallet {
  tenant: Tenant;
  walletId: string;
}

/**
 * Concurrent reads share one query; each sees every movement that was answered before the read began. All that one read
 * asks for comes from one statement, so it is of one moment.
 */
export function createBalanceReader(database: Database): BalanceReader {
  const balances = createGroupReader<Asked, Balance[]>(async (asked) => {
    const wanted = new Map(asked.flatMap(({ tenant, ids }) => ids.map((id) => [id, tenant.merchantId] as const)));
    const values = arraysByMerchant([...wanted], ([, merchantId]) => merchantId, ['uuid', ([id]) => id]);
    const rows = await database.query(findBalances, values);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ tenant, ids }) => ids.flatMap((id) => balanceOf(tenant, byId.get(id)) ?? []));
  });
  const readBalances: BalanceReader['readBalances'] = async (tenant, ids) => {
    if (ids.length === 0) return [];
    const found = await balances({ tenant, ids });
    if (found.length < ids.length) throw missing(tenant, ids);
    return found;
  };
  return {
    readBalances,
    readBalance: async (tenant, id) => (await readBalances(tenant, [id]))[0] as Balance,
    async readWalletTotals(asked) {
      const wanted = new Map(asked.map(({ tenant, walletId }) => [walletId, tenant]));
      const values = arraysByMerchant([...wanted], ([, { merchantId }]) => merchantId, ['uuid', ([id]) => id]);
      const rows = await database.query(findWalletTotals, values);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return asked.map(({ tenant, walletId }) => {
        const row = byId.get(walletId);
        const wallet = balanceOf(tenant, row);
        if (row === undefined || wallet === undefined) throw missing(tenant, [walletId]);
        return { wallet, subaccounts: { accounts: row.subaccounts, bookedMinor: row.subaccounts_minor } };
      });
    },
  };
}

interface Asked {
  tenant: Tenant;
  ids: readonly string[];
}

const missing = ({ merchantId, mode }: Tenant, ids: readonly string[]) =>
  new Error(`no account ${ids.join(' or ')} of ${merchantId} in ${mode}`);

function balanceOf(tenant: Tenant, row: AccountRow | undefined): Balance | undefined {
  if (row === undefined || row.merchant_id !== tenant.merchantId || row.mode !== tenant.mode) return undefined;
  return {
    accountId: row.id,
    bookedMinor: bookedMinor(row),
    availableMinor: availableMinor(row),
    currency: row.currency,
  };
}
