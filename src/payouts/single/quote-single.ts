import { explainCharges, type PayoutPurpose, quotePayout } from '../../fees/index.ts';
import { DEFAULT_CURRENCY } from '../../money/index.ts';
import { success } from '../../platform/answer.ts';
import type { PayoutDeps } from '../deps.ts';
import { quotedSingleView } from './views.ts';

/** What a payout of this amount would cost now, charge by charge. Moves nothing and promises nothing. */
export async function quoteSingle(deps: PayoutDeps, amountMinor: bigint, purpose: PayoutPurpose | undefined) {
  const rules = await deps.fees.listRules();
  const input = { amountMinor, currency: DEFAULT_CURRENCY, purpose, at: deps.clock.now() };
  return success('Success', quotedSingleView(quotePayout(rules, input), explainCharges(rules, input)));
}
