import { changeMerchantDetails, changeMerchantStatus, lockMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Secrets } from '../platform/secrets.ts';
import { mailDecision } from './decision-mail.ts';
import { onboardingSubmittedAnew } from './errors.ts';
import { upsertOnboarding } from './queries.ts';
import { noteReview, readReviewState, saving } from './review-state.ts';

interface Decision {
  merchantId: string;
  /** Who decided, for the history. */
  actor: string;
  /** The merchant reads it where the answer is no. */
  reason?: string | undefined;
  /** When what was looked at was submitted: what was submitted anew since then is not decided unseen. */
  seen?: Date | undefined;
}

/**
 * The operator's word on a merchant: it is taken in or turned down; for one that was taken in before, what it wants
 * changed is. Changes that are accepted are in force from then on; those that are not stay for the merchant to correct.
 * Its owners and administrators are told by mail.
 * @throws AppError `MERCHANT_NOT_FOUND`; 409 `MERCHANT_STATUS_CONFLICT` where nothing waits for this decision,
 *   `ONBOARDING_SUBMITTED_ANEW` where something else than what was seen does.
 */
export async function decideOnboarding(
  deps: { database: Database; secrets: Secrets; clock: Clock },
  decision: 'approve' | 'reject',
  input: Decision,
): Promise<void> {
  await saving(deps.database, async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    if (input.seen !== undefined && merchant.submitted_at?.getTime() !== input.seen.getTime()) {
      throw onboardingSubmittedAnew();
    }
    const status = { queries: tx, clock: deps.clock };
    const changes = merchant.status === 'ACTIVE' && merchant.submitted_at !== null;
    const about = { merchantId: merchant.id, businessName: merchant.business_name, reason: input.reason };
    await mailDecision({ tx, secrets: deps.secrets, clock: deps.clock }, { ...about, decision, changes });
    if (!changes) return changeMerchantStatus(status, decision, input);
    await changeMerchantStatus(status, decision === 'approve' ? 'accept-changes' : 'reject-changes', input);
    if (decision === 'reject') return;
    const { changes: wanted, details } = await readReviewState(tx, merchant);
    await changeMerchantDetails(tx, merchant.id, wanted.merchant);
    await tx.query(upsertOnboarding, [merchant.id, { ...details, ...wanted.details }, {}, deps.clock.now()]);
    await noteReview(tx, await lockMerchant(tx, merchant.id));
  });
}
