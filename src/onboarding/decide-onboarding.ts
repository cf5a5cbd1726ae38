import { changeMerchantDetails, changeMerchantStatus, lockMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { upsertOnboarding } from './queries.ts';
import { noteReview, readReviewState, saving } from './review-state.ts';

interface Decision {
  merchantId: string;
  /** Who decided, for the history. */
  actor: string;
  /** The merchant reads it where the answer is no. */
  reason?: string | undefined;
}

/**
 * The operator's word on a merchant: it is taken in or turned down; for one that was taken in before, what it wants
 * changed is. Changes that are accepted are in force from then on; those that are not stay for the merchant to mend.
 * @throws AppError `MERCHANT_NOT_FOUND`; 409 `MERCHANT_STATUS_CONFLICT` where nothing waits for this decision.
 */
export async function decideOnboarding(
  deps: { database: Database; clock: Clock },
  decision: 'approve' | 'reject',
  input: Decision,
): Promise<void> {
  await saving(deps.database, async (tx) => {
    const merchant = await lockMerchant(tx, input.merchantId);
    const status = { queries: tx, clock: deps.clock };
    if (merchant.status !== 'ACTIVE' || merchant.submitted_at === null) {
      return changeMerchantStatus(status, decision, input);
    }
    await changeMerchantStatus(status, decision === 'approve' ? 'accept-changes' : 'reject-changes', input);
    if (decision === 'reject') return;
    const { changes, details } = await readReviewState(tx, merchant);
    await changeMerchantDetails(tx, merchant.id, changes.merchant);
    await tx.query(upsertOnboarding, [merchant.id, { ...details, ...changes.details }, {}, deps.clock.now()]);
    await noteReview(tx, await lockMerchant(tx, merchant.id));
  });
}
