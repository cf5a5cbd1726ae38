import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { sumOwed } from './queries.ts';

/**
 * Whether a merchant owes money after disputes: what comes in pays that first, so nothing is to go to its bank before. The
 * answer is a word for programs; undefined where nothing is owed.
 */
export function createDebtStop({ database }: { database: Queries }) {
  return async ({ merchantId, mode }: Tenant): Promise<string | undefined> => {
    const [sum] = await database.query(sumOwed, [merchantId, mode]);
    return sum !== undefined && sum.owed_minor > 0n ? 'DISPUTE_DEBT' : undefined;
  };
}
