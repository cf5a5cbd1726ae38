import { type LateAccountKind, openLateAccount } from '../ledger/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';

/** Account ids in the cache; they never change. */
const MAX_REMEMBERED = 50_000;

/** Accounts of a merchant's books for money in, each opened when it is first needed. */
export interface CollectionAccounts {
  /**
   * What one provider account owes for the merchant.
   * @param providerAccountId of the rail account; the sandbox's own bank has the merchant's
   */
  receivable(tenant: Tenant, providerAccountId: string): Promise<string>;
  /** Money of the merchant that is not available before its settlement. */
  pending(tenant: Tenant): Promise<string>;
  /** What providers kept of the merchant's payments: the operator's cost. */
  providerCost(tenant: Tenant): Promise<string>;
  /** What the merchant owes the operator after disputes. */
  merchantReceivable(tenant: Tenant): Promise<string>;
  /** What is kept of the merchant's payments until its release. */
  reserve(tenant: Tenant): Promise<string>;
}

export function createCollectionAccounts({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): CollectionAccounts {
  const known = createLruMap<string>(MAX_REMEMBERED);
  const find = async (tenant: Tenant, kind: LateAccountKind, ownerId: string): Promise<string> => {
    const key = `${tenantKey(tenant)}/${kind}/${ownerId}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const id = await openLateAccount(database, tenant, { kind, ownerId }, clock.now());
    known.set(key, id);
    return id;
  };
  return {
    receivable: (tenant, providerAccountId) => find(tenant, 'COLLECTION_RECEIVABLE', providerAccountId),
    pending: (tenant) => find(tenant, 'PENDING_COLLECTIONS', tenant.merchantId),
    providerCost: (tenant) => find(tenant, 'PROVIDER_COST', tenant.merchantId),
    merchantReceivable: (tenant) => find(tenant, 'MERCHANT_RECEIVABLE', tenant.merchantId),
    reserve: (tenant) => find(tenant, 'RESERVE', tenant.merchantId),
  };
}
