import type { PayoutPurpose } from '../../fees/index.ts';
import { DEFAULT_CURRENCY } from '../../money/index.ts';
import { success } from '../../platform/answer.ts';
import type { PayoutDeps } from '../deps.ts';
import { quoteView } from '../views.ts';

/** What a payout of this amount would cost now. Moves nothing and promises nothing. */
export async function quoteSingle(deps: PayoutDeps, amountMinor: bigint, purpose: PayoutPurpose | undefined) {
  const quote = await deps.fees.quotePayout({ amountMinor, currency: DEFAULT_CURRENCY, purpose });
  return success('Success', quoteView(quote));
}
