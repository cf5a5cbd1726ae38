import type { Database } from '../platform/db/database.ts';
import { arrayLiteral } from '../platform/db/statement.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import type { Tenant } from '../platform/tenant.ts';
import { availableMinor, bookedMinor } from './decide.ts';
import { type AccountRow, findBalances, sumSubaccounts } from './queries.ts';

/** Minor units of `currency`. Booked counts what is posted; available is booked less what pending transfers hold. */
export interface Balance {
  accountId: string;
  bookedMinor: bigint;
  availableMinor: bigint;
  currency: AccountRow['currency'];
}

export interface SubaccountTotal {
  accounts: number;
  bookedMinor: bigint;
}

export interface BalanceReader {
  /** @throws Error when the tenant has no such account: callers hold ids that came from the tenant's own rows. */
  readBalance(tenant: Tenant, accountId: string): Promise<Balance>;
  readSubaccountTotal(tenant: Tenant): Promise<SubaccountTotal>;
}

/** Concurrent reads share one query; each sees every movement that was answered before it was asked. */
export function createBalanceReader(database: Database): BalanceReader {
  const balances = createGroupReader<{ tenant: Tenant; id: string }, Balance | undefined>(async (keys) => {
    const wanted = new Map(keys.map(({ tenant, id }) => [id, tenant.merchantId]));
    const rows = await database.query(findBalances, [
      arrayLiteral('uuid', [...wanted.values()]),
      arrayLiteral('uuid', [...wanted.keys()]),
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return keys.map(({ tenant, id }) => balanceOf(tenant, byId.get(id)));
  });
  const totals = createGroupReader<Tenant, SubaccountTotal>(async (tenants) => {
    const wanted = new Map(tenants.map((tenant) => [`${tenant.merchantId}/${tenant.mode}`, tenant]));
    const rows = await database.query(sumSubaccounts, [
      arrayLiteral(
        'uuid',
        Array.from(wanted.values(), (tenant) => tenant.merchantId),
      ),
      arrayLiteral(
        'text',
        Array.from(wanted.values(), (tenant) => tenant.mode),
      ),
    ]);
    const found = new Map(rows.map((row) => [`${row.merchant_id}/${row.mode}`, row]));
    return tenants.map((tenant) => {
      const row = found.get(`${tenant.merchantId}/${tenant.mode}`);
      return { accounts: row?.accounts ?? 0, bookedMinor: row?.booked_minor ?? 0n };
    });
  });
  return {
    async readBalance(tenant, id) {
      const balance = await balances({ tenant, id });
      if (balance === undefined) throw new Error(`no account ${id} of ${tenant.merchantId} in ${tenant.mode}`);
      return balance;
    },
    readSubaccountTotal: totals,
  };
}

function balanceOf(tenant: Tenant, row: AccountRow | undefined): Balance | undefined {
  if (row === undefined || row.merchant_id !== tenant.merchantId || row.mode !== tenant.mode) return undefined;
  return {
    accountId: row.id,
    bookedMinor: bookedMinor(row),
    availableMinor: availableMinor(row),
    currency: row.currency,
  };
}
