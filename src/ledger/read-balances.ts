import type { Database, Queries } from '../platform/db/database.ts';
import { arrayLiteral, type ColumnType, statement } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { availableMinor, bookedMinor } from './decide.ts';
import { type AccountRow, findBalances, findWalletTotals } from './queries.ts';

/** Minor units of `currency`. Booked counts what is posted; available is booked less what pending transfers hold. */
export interface Balance {
  accountId: string;
  bookedMinor: bigint;
  availableMinor: bigint;
  currency: AccountRow['currency'];
}

/** A merchant's main wallet beside its subaccounts, so that the sum of the two was there at one moment. */
export interface WalletTotal {
  wallet: Balance;
  subaccounts: { accounts: number; bookedMinor: bigint };
}

export interface BalanceReader {
  /** @throws Error when the tenant has no such account: callers hold ids that came from the tenant's own rows. */
  readBalance(tenant: Tenant, accountId: string): Promise<Balance>;
  /** The balances of several accounts at one moment, in the order of the ids. @throws Error as `readBalance` */
  readBalances(tenant: Tenant, accountIds: readonly string[]): Promise<Balance[]>;
  /** @throws Error as `readBalance` */
  readWalletTotal(tenant: Tenant, walletId: string): Promise<WalletTotal>;
}

/**
 * Concurrent reads share one query; each sees every movement that was answered before it was asked. What one read asks
 * for comes from one statement, so it is of one moment.
 */
export function createBalanceReader(database: Database): BalanceReader {
  const balances = createGroupReader<Asked, Balance[]>(async (asked) => {
    const wanted = new Map(asked.flatMap(({ tenant, ids }) => ids.map((id) => [id, tenant.merchantId] as const)));
    const rows = await database.query(findBalances, [literal('uuid', wanted.values()), literal('uuid', wanted.keys())]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ tenant, ids }) => ids.flatMap((id) => balanceOf(tenant, byId.get(id)) ?? []));
  });
  const totals = createGroupReader<Asked, WalletTotal | undefined>(async (asked) => {
    const wanted = new Map(asked.flatMap(({ tenant, ids }) => ids.map((id) => [id, tenant] as const)));
    const rows = await database.query(findWalletTotals, [
      literal(
        'uuid',
        Array.from(wanted.values(), ({ merchantId }) => merchantId),
      ),
      literal(
        'text',
        Array.from(wanted.values(), ({ mode }) => mode),
      ),
      literal('uuid', wanted.keys()),
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ tenant, ids: [id = ''] }) => {
      const row = byId.get(id);
      const wallet = balanceOf(tenant, row);
      if (row === undefined || wallet === undefined) return undefined;
      return { wallet, subaccounts: { accounts: row.subaccounts, bookedMinor: row.subaccounts_minor } };
    });
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
    async readWalletTotal(tenant, id) {
      const total = await totals({ tenant, ids: [id] });
      if (total === undefined) throw missing(tenant, [id]);
      return total;
    },
  };
}

interface Asked {
  tenant: Tenant;
  ids: readonly string[];
}

const literal = (type: ColumnType, values: Iterable<string>): string => arrayLiteral(type, [...values]);

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

/** Minor units. What the operator's own accounts come to, over one merchant or all. */
export interface SystemTotals {
  /** In the providers' hands by our books. */
  floatMinor: bigint;
  /** Paid, and not yet confirmed by the rail's own file. Negative where it owes us returns. */
  clearingMinor: bigint;
  /** Held for payouts that have no outcome. */
  heldMinor: bigint;
}

const sumSystemAccounts = statement<{ float_minor: bigint; clearing_minor: bigint; held_minor: bigint }>(
  'sum-system-accounts',
  `select coalesce(sum(debits_posted_minor - credits_posted_minor) filter (where kind = 'PROVIDER_FLOAT'), 0)::bigint
            as float_minor,
          coalesce(sum(credits_posted_minor - debits_posted_minor) filter (where kind = 'PAYOUT_CLEARING'), 0)::bigint
            as clearing_minor,
          coalesce(sum(credits_pending_minor) filter (where kind = 'PAYOUT_CLEARING'), 0)::bigint as held_minor
     from accounts
    where mode = $1 and currency = $2 and kind in ('PROVIDER_FLOAT', 'PAYOUT_CLEARING')
      and ($3::uuid is null or merchant_id = $3)`,
);

/** Looks across merchants unless one is named: for the operator, outside any movement. */
export async function readSystemTotals(
  queries: Queries,
  { mode, currency, merchantId }: { mode: Mode; currency: string; merchantId: string | null },
): Promise<SystemTotals> {
  const [row] = await queries.query(sumSystemAccounts, [mode, currency, merchantId]);
  if (row === undefined) throw new Error('a sum gave no row');
  return { floatMinor: row.float_minor, clearingMinor: row.clearing_minor, heldMinor: row.held_minor };
}
