import { requireMerchant } from '../merchants/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import { createCache } from '../platform/cache.ts';

/** How old what is known of a merchant may be when its money leaves. */
const MAX_AGE_MS = 1_000;
/** Merchants with payouts under way in one process that are known at once. */
const MAX_MERCHANTS = 10_000;

/**
 * Whether the operator has suspended a merchant, as of a second ago at most: asked before each send, so it costs a
 * query a second and merchant. It throws what the database throws: then nobody knows, and nothing is to leave.
 */
export function createIsSuspended({
  database,
  clock,
}: Pick<PayoutDeps, 'database' | 'clock'>): PayoutDeps['isSuspended'] {
  const cache = createCache<boolean>({ clock, ttlMs: MAX_AGE_MS, max: MAX_MERCHANTS });
  return (merchantId) =>
    cache.read(merchantId, async () => (await requireMerchant(database, merchantId)).status === 'SUSPENDED');
}
