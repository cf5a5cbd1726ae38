import { changeMerchantDetails, lockMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { upsertOnboarding } from './queries.ts';
import { noteReview, readReviewState, requireOpen, saving } from './review-state.ts';
import type { Changes } from './steps.ts';

/**
 * Keeps what was given of a step; what was left out stays. Before the first approval it is in force at once. What an
 * accepted merchant gives is kept beside the profile until the operator accepts it.
 * @throws AppError 404 `MERCHANT_NOT_FOUND`; 409 `ONBOARDING_WAITING`, `ONBOARDING_CLOSED`; 503 where it is not known
 *   whether it was saved.
 */
export async function saveStep(
  deps: { database: Database; clock: Clock },
  merchantId: string,
  saved: Changes,
): Promise<void> {
  await saving(deps.database, async (tx) => {
    const merchant = await lockMerchant(tx, merchantId);
    requireOpen(merchant);
    const state = await readReviewState(tx, merchant);
    const now = deps.clock.now();
    if (merchant.status === 'ACTIVE') {
      const changes: Changes = {
        merchant: differing({ ...state.changes.merchant, ...saved.merchant }, merchant),
        details: differing({ ...state.changes.details, ...saved.details }, state.details),
      };
      await tx.query(upsertOnboarding, [merchantId, state.details, changes, now]);
      return;
    }
    await changeMerchantDetails(tx, merchantId, saved.merchant);
    await tx.query(upsertOnboarding, [merchantId, { ...state.details, ...saved.details }, {}, now]);
    await noteReview(tx, await lockMerchant(tx, merchantId));
  });
}

/** What is in force already is no change, and what is put back is none any more. */
function differing<T extends object>(wanted: T, inForce: Partial<Record<keyof T, unknown>>): T {
  const entries = Object.entries(wanted).filter(([name, value]) => (inForce[name as keyof T] ?? '') !== value);
  return Object.fromEntries(entries) as T;
}
