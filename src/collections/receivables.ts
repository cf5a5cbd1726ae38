import { createLruMap } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { findReceivable, insertReceivable } from './queries.ts';

/** These accounts never change their id. */
const MAX_REMEMBERED = 50_000;

/**
 * The account of a merchant's books that says what one provider account owes for it. It is opened, empty, when it is first
 * needed.
 * @param providerAccountId of the rail account; the sandbox's own bank has the merchant's
 */
export type FindReceivable = (tenant: Tenant, providerAccountId: string) => Promise<string>;

export function createReceivables({ database, clock }: { database: Database; clock: Clock }): FindReceivable {
  const known = createLruMap<string>(MAX_REMEMBERED);
  return async (tenant, providerAccountId) => {
    const key = `${tenantKey(tenant)}/${providerAccountId}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const owner = [tenant.merchantId, tenant.mode, providerAccountId];
    const [found] = await database.query(findReceivable, owner);
    const [opened] =
      found === undefined
        ? await database.query(insertReceivable, [
            tenant.merchantId,
            tenant.mode,
            newId(),
            providerAccountId,
            clock.now(),
          ])
        : [];
    const [account] = (found ?? opened) ? [found ?? opened] : await database.query(findReceivable, owner);
    if (account === undefined) throw new Error(`${tenant.merchantId} has no receivable account in ${tenant.mode}`);
    known.set(key, account.id);
    return account.id;
  };
}
