import { changeMerchantStatus, lockMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { onboardingIncomplete, onboardingUnchanged } from './errors.ts';
import { hasNews, readReviewState, requireOpen, saving } from './review-state.ts';

/**
 * Puts the details before the operator; they are locked until it has decided. An accepted merchant submits what it wants
 * changed, and goes on as it is meanwhile.
 * @param input.actor who submits, for the history.
 * @throws AppError 422 `ONBOARDING_INCOMPLETE` naming what is missing; 409 `ONBOARDING_WAITING` for a second submission,
 *   `ONBOARDING_CLOSED`, `ONBOARDING_UNCHANGED`.
 */
export async function submitOnboarding(
  deps: { database: Database; clock: Clock },
  input: { merchantId: string; actor: string },
): Promise<void> {
  await saving(deps.database, async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    requireOpen(merchant);
    const state = await readReviewState(tx, merchant);
    const missing = state.steps.flatMap((step) => step.missing);
    if (missing.length > 0) {
      throw onboardingIncomplete(missing.map(({ name, words }) => ({ field: name, message: words })));
    }
    if (merchant.status === 'ACTIVE' && !hasNews(state)) throw onboardingUnchanged();
    const action = merchant.status === 'ACTIVE' ? 'submit-changes' : 'submit';
    await changeMerchantStatus({ queries: tx, clock: deps.clock }, action, input);
  });
}
