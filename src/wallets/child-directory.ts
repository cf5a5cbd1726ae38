import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Wallet, WalletDirectory } from './directory.ts';
import type { ChildRow } from './queries.ts';

const MAX_REMEMBERED = 50_000;

/** A store or subaccount: what has a name and a wallet of its own beside the merchant's. */
export interface Child {
  id: string;
  name: string;
  wallet: Wallet;
  createdAt: string;
}

/** Finds a child by its id. @throws AppError not found, for another merchant's child and another mode's too. */
export type RequireChild = (tenant: Tenant, id: string) => Promise<Child>;

/** Children of one kind by id, remembered: their name and wallet never change. */
export function createChildDirectory(
  deps: { database: Database; wallets: WalletDirectory },
  kind: { find: Statement<ChildRow>; notFound: () => AppError },
): RequireChild {
  const children = new LRUCache<string, Child>({ max: MAX_REMEMBERED });
  return async (tenant, id) => {
    const key = `${tenant.merchantId}/${tenant.mode}/${id.toLowerCase()}`;
    const known = children.get(key);
    if (known !== undefined) return known;
    const [row] = await deps.database.query(kind.find, [tenant.merchantId, tenant.mode, id]);
    if (row === undefined) throw kind.notFound();
    const wallet = await deps.wallets.findWallet(tenant, row.wallet_id);
    if (wallet === undefined) throw new Error(`${row.id} has no wallet`);
    const child = { id: row.id, name: row.name, wallet, createdAt: new Date(row.created_at).toISOString() };
    children.set(key, child);
    return child;
  };
}
