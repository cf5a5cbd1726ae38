import { openReceivable } from '../ledger/index.ts';
import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';

/** These accounts never change their id. */
const MAX_REMEMBERED = 50_000;

/**
 * The account of a merchant's books that says what one provider account owes for it.
 * @param providerAccountId of the rail account; the sandbox's own bank has the merchant's
 */
export type FindReceivable = (tenant: Tenant, providerAccountId: string) => Promise<string>;

export function createReceivables({ database, clock }: { database: Database; clock: Clock }): FindReceivable {
  const known = createLruMap<string>(MAX_REMEMBERED);
  return async (tenant, providerAccountId) => {
    const key = `${tenantKey(tenant)}/${providerAccountId}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const id = await openReceivable(database, tenant, providerAccountId, clock.now());
    known.set(key, id);
    return id;
  };
}
