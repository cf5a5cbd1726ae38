import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { countUnmadeKeys } from './queries.ts';
import { EVERY_SCOPE, type Scope } from './scopes.ts';

const PAYS: Scope = 'payout:write';

/** How many keys in force may pay and were made by nobody: nobody is kept from approving what comes by them. */
export async function countKeysWithoutMaker(
  { queries, clock }: { queries: Queries; clock: Clock },
  { merchantId, mode }: Tenant,
): Promise<number> {
  const [counted] = await queries.query(countUnmadeKeys, [merchantId, mode, clock.now(), [EVERY_SCOPE, PAYS]]);
  return counted?.keys ?? 0;
}
