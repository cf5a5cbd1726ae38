import type { MovementParts } from '../approvals/index.ts';
import { forgetKeys } from './duplicates/dedupe-keys.ts';
import { DAY_SCOPE } from './limits/day-scope.ts';
import type { PayoutRecord } from './queries.ts';

/**
 * What a payout that failed, or was called off, gives back: its part of the day's limit, and its dedupe keys. For the
 * movement that ends it. A payout that succeeded keeps its part of the limit, also when the bank returns the money.
 */
export function releaseGuards(payout: PayoutRecord): Required<Pick<MovementParts, 'allowances' | 'writes'>> {
  const { counted_on: period, amount_minor } = payout;
  const exceeded = () => {
    throw new Error('giving back exceeds nothing');
  };
  const counted = { scope: DAY_SCOPE, amountMinor: -amount_minor, limitMinor: null, exceeded };
  return { ...forgetKeys(payout), allowances: period === null ? [] : [{ ...counted, period }] };
}
