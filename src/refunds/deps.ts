import type { CollectionAccounts, InboundPaymentRow } from '../collections/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import type { RailDirectory } from '../rail-accounts/index.ts';

/** What the commands of refunds need: all that payouts need, as a refund may be one. */
export interface RefundDeps extends Omit<PayoutDeps, 'rails'> {
  rails: RailDirectory;
  collectionAccounts: CollectionAccounts;
  /** Whether a payment, its payer or its merchant is frozen now: then nothing of it goes back. */
  compliance: { isPaymentFrozen(payment: InboundPaymentRow): Promise<boolean> };
}
