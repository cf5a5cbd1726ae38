import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findUncovered } from './freed-queries.ts';

/**
 * Why disputes keep a merchant's collections from going to its bank: it owes what one took beyond its wallet, or its wallet
 * does not hold all that an open one may take. A dispute whose amount is held keeps nothing else back.
 */
export function createDisputeStop({ database }: { database: Database }) {
  return async ({ merchantId, mode }: Tenant): Promise<string | undefined> => {
    const [found] = await database.query(findUncovered, [merchantId, mode]);
    if (found?.owes === true) return 'DISPUTE_DEBT';
    return found?.is_short === true ? 'DISPUTE_NOT_COVERED' : undefined;
  };
}
