export { changeFeeRules, type FeeChange, type NewFeeRule, planFeeChange } from './change-fee-rules.ts';
export { createFees, type Fees } from './create-fees.ts';
export { FEE_ERRORS } from './errors.ts';
export type { FeeRule } from './fee-rule.ts';
export { feeRuleDigest, listFeeRules } from './queries.ts';
export { type CollectionCharges, NO_CHARGES, quoteCollection } from './quote-collection.ts';
export {
  type ChargeLine,
  explainCharges,
  PAYOUT_PURPOSES,
  type PayoutInput,
  type PayoutPurpose,
  type Quote,
  quotePayout,
} from './quote-payout.ts';
