import { changeFeeRules, type NewFeeRule } from '../../src/fees/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { TestClock } from './clock.ts';

const NOTICE_MS = 3 * 60_000;

/** A fee on payments in that is in force when this returns: the clock is moved past its notice. */
export async function collectionFee(
  { database, clock }: { database: Database; clock: TestClock },
  terms: Partial<NewFeeRule> = {},
  endsRuleIds: readonly string[] = [],
): Promise<string> {
  const effectiveFrom = new Date(clock.now().getTime() + NOTICE_MS);
  const rule: NewFeeRule = {
    currency: 'NGN',
    kind: 'COLLECTION_FEE',
    minAmountMinor: 0n,
    maxAmountMinor: null,
    flatMinor: 0n,
    rateBasisPoints: 0,
    capMinor: null,
    channel: null,
    payer: 'RECEIVER',
    exemptPurposes: [],
    rounding: 'HALF_UP',
    effectiveFrom,
    effectiveTo: null,
    source: 'A decision of the operator',
    ...terms,
  };
  const [added] = await changeFeeRules({ database, clock }, { rules: [rule], endsRuleIds });
  clock.advance(NOTICE_MS);
  return added?.id ?? '';
}
