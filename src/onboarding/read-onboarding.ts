import { requireMerchant } from '../merchants/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { readReviewState } from './review-state.ts';
import { type OnboardingView, onboardingView } from './views.ts';

/** How far a merchant's review is. Nothing in it opens a door: the BVN shows its ends only. @throws AppError `MERCHANT_NOT_FOUND`. */
export async function readOnboarding(deps: { database: Queries }, merchantId: string): Promise<OnboardingView> {
  const merchant = await requireMerchant(deps.database, merchantId);
  return onboardingView(await readReviewState(deps.database, merchant));
}
