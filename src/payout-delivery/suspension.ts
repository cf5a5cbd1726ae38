import { LRUCache } from 'lru-cache';
import { requireMerchant } from '../merchants/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import type { Database } from '../platform/db/database.ts';

/** How old what is known of a merchant may be when its money leaves. */
const MAX_AGE_MS = 1_000;
/** Merchants with payouts under way in one process whose standing is remembered. */
const MAX_REMEMBERED = 10_000;

interface Suspension {
  readAt: number;
  isSuspended: Promise<boolean>;
}

/** By the database that the merchants are in. */
const suspensions = new WeakMap<Database, LRUCache<string, Suspension>>();

/**
 * Whether the operator has suspended a merchant, as of a second ago at most: asked before each send, so it costs a
 * query a second and merchant.
 * @throws what the database throws: then nobody knows, and nothing is to leave.
 */
export function isSuspended({ database, clock }: PayoutDeps, merchantId: string): Promise<boolean> {
  const remembered = suspensions.get(database) ?? new LRUCache<string, Suspension>({ max: MAX_REMEMBERED });
  suspensions.set(database, remembered);
  const now = clock.now().getTime();
  const known = remembered.get(merchantId);
  if (known !== undefined && Math.abs(now - known.readAt) < MAX_AGE_MS) return known.isSuspended;
  const asked = requireMerchant(database, merchantId).then(({ status }) => status === 'SUSPENDED');
  remembered.set(merchantId, { readAt: now, isSuspended: asked });
  // What failed is asked again by the next.
  asked.catch(() => remembered.delete(merchantId));
  return asked;
}
